/** The shapes of devices in the answers of the websocket commands. */

import type { RiskClass } from "./api";

export type Level = "free" | "ask" | "never";

export interface Device {
  id: string;
  name: string;
  area: string | null;
  floor: string | null;
  kinds: string[];
  parts: number;
  photos: number;
  /** Those with a state; the first `controls` of them have actions. */
  entities: string[];
  controls: number;
  /** The strictest risk level; only for administrators. */
  level: Level | null;
}

export interface RiskReason {
  level: Level;
  by: "household" | "kind" | "effects" | "model" | "nothing";
  /** The worst risk and the level without the choice of the household. */
  risk: RiskClass | null;
  automatic: Level;
  reason: string;
  /** What the household chose; null if SAGE decides. */
  choice: Level | null;
}

interface Bounds {
  values: string[];
  minimum: number | null;
  maximum: number | null;
  unit: string | null;
}

export interface DeviceAttribute extends Bounds {
  name: string;
  value: unknown;
  meaning: string | null;
}

export interface DeviceArgument extends Bounds {
  name: string;
  type: string;
  required: boolean;
}

export interface DeviceCommand {
  /** The name of an action, with its domain only if that is not the domain of the entity. */
  name: string;
  description: string;
  arguments: DeviceArgument[];
}

export interface DeviceComponent {
  id: string;
  name: string;
  capability: string;
  summary: string;
  source: string;
  available: boolean;
  notes: string[];
  attributes: DeviceAttribute[];
  commands: DeviceCommand[];
  /** Only for administrators, and only of entities. */
  risk?: RiskReason;
}

export interface Photo {
  entity_id: string | null;
  caption: string;
  added: string;
}

export interface WholeDevice extends Device {
  aliases: string[];
  model: string | null;
  components: DeviceComponent[];
  more: number;
  pictures: Photo[];
  most_photos: number;
  /** The model that can write captions; null without agents, and for members. */
  caption_model: string | null;
  /** A sentence that says where photos go. */
  photo_destination: string;
}
