import { type TemplateResult, css, html, nothing } from "lit";
import { customElement, property } from "lit/decorators.js";
import { ifDefined } from "lit/directives/if-defined.js";
import { act, ask } from "./api";
import type { Photo, WholeDevice } from "./device_types";
import { button, form, textField } from "./parts";
import { View } from "./view";

const PICTURES = "image/jpeg,image/png,image/webp";

/** The photos of a device; administrators change them. Sends the event `changed`. */
@customElement("sage-device-photos")
export class DevicePhotos extends View {
  static override styles = [
    View.styles,
    css`
      img {
        border-radius: 8px;
        display: block;
        max-width: 100%;
        object-fit: cover;
        width: 100%;
      }
      figure {
        margin: 0 0 12px;
      }
      input[type="file"] {
        display: none;
      }
    `,
  ];

  @property({ attribute: false }) device!: WholeDevice;

  /** The view around it does this. */
  protected override async load(): Promise<void> {
    // Nothing to load.
  }

  private change(work: () => Promise<string>): Promise<void> {
    return this.guarded(async () => {
      const notice = await work();
      this.dispatchEvent(new CustomEvent("changed"));
      return notice;
    });
  }

  private upload(event: Event): Promise<void> {
    const input = event.target as HTMLInputElement;
    const file = input.files?.[0];
    input.value = "";
    if (!file) {
      return Promise.resolve();
    }
    return this.change(async () => {
      const body = new FormData();
      body.append("file", file);
      const response = await this.hass.fetchWithAuth("/api/file_upload", { method: "POST", body });
      if (!response.ok) {
        throw new Error(this.texts("devices.not_uploaded", { status: response.status }));
      }
      const { file_id } = (await response.json()) as { file_id: string };
      await ask(this.hass, "devices/add_photo", { device: this.device.id, upload: file_id });
      return this.texts("devices.photo_added");
    });
  }

  private setCaption(caption: string, photo: string): Promise<void> {
    return this.change(async () => {
      await act(this.hass, "set_photo_caption", { photo, caption });
      return this.texts("devices.caption_saved");
    });
  }

  /** Lets the model write a caption into the field of a photo; the person saves it. */
  private async writeCaption(event: Event, photo: string, model: string): Promise<void> {
    const written = (event.currentTarget as HTMLElement).closest("form")!;
    const question = this.texts("devices.write_caption_question", { model });
    if (!(await this.agrees(question, this.texts("devices.write_caption")))) {
      return;
    }
    await this.guarded(async () => {
      const { language } = this.hass;
      const { caption } = await ask(this.hass, "devices/write_caption", { photo, language });
      written.querySelector<HTMLInputElement>("[name=caption]")!.value = caption;
      return this.texts("devices.caption_written");
    });
  }

  private async deletePhoto(photo: string): Promise<void> {
    if (await this.agrees(this.texts("devices.delete_photo_question"))) {
      await this.change(async () => {
        await act(this.hass, "delete_photo", { photo });
        return this.texts("devices.photo_deleted");
      });
    }
  }

  protected override content(): TemplateResult {
    const { device } = this;
    const isAdmin = this.hass.user.is_admin;
    return html`
      <div class="photos">
        ${device.pictures.map((photo) => this.photo(device, photo, isAdmin))}
      </div>
      ${isAdmin && device.pictures.length < device.most_photos ? this.adding(device) : nothing}
    `;
  }

  private photo(device: WholeDevice, photo: Photo, isAdmin: boolean): TemplateResult {
    const entity = photo.entity_id ?? "";
    const address = this.hass.states[entity]?.attributes["entity_picture"];
    const picture = html`<img
      loading="lazy"
      src=${ifDefined(typeof address === "string" ? address : undefined)}
      alt=${photo.caption || this.texts("devices.photo_of", { name: device.name })}
    />`;
    if (!isAdmin) {
      return html`<figure>
        ${picture}
        <figcaption>${photo.caption}</figcaption>
      </figure>`;
    }
    return html`<figure>
      ${picture}
      ${form(
        html`${textField({
          name: "caption",
          label: this.texts("devices.caption"),
          value: photo.caption,
          maxlength: 200,
        })}
        ${button({ label: this.texts("save"), type: "submit" })}
        ${
          device.caption_model
            ? button({
                label: this.texts("devices.write_caption"),
                click: (event) => this.writeCaption(event, entity, device.caption_model!),
              })
            : nothing
        }
        ${button({
          label: this.texts("delete"),
          look: "danger",
          click: () => this.deletePhoto(entity),
        })}`,
        ({ caption }) => this.setCaption(caption!, entity),
      )}
    </figure>`;
  }

  private adding({ photo_destination: destination }: WholeDevice): TemplateResult {
    const input = (label: string, capture?: string): TemplateResult =>
      html`<input
        type="file"
        accept=${PICTURES}
        capture=${ifDefined(capture)}
        aria-label=${label}
        @change=${(event: Event) => this.upload(event)}
      />`;
    const ways = [
      ["take_photo", "mdi:camera", "environment"],
      ["upload_photo", "mdi:upload", undefined],
    ] as const;
    return html`
      <div class="row">
        ${ways.map(([way, name, capture]) => {
          const label = this.texts(`devices.${way}`);
          return html`<span>
            ${button({
              label,
              icon: name,
              look: "outlined",
              click: (event) =>
                (event.currentTarget as HTMLElement).parentElement!.querySelector("input")!.click(),
            })}
            ${input(label, capture)}
          </span>`;
        })}
      </div>
      <p class="secondary">${this.texts("devices.photo_use")} ${destination}</p>
    `;
  }
}
