import { type TemplateResult, html } from "lit";
import { customElement } from "lit/decorators.js";
import { View } from "../view";

@customElement("sage-activity")
export class Activity extends View {
  protected override async load(): Promise<void> {}

  protected override render(): TemplateResult {
    return html`${this.messages()}`;
  }
}
