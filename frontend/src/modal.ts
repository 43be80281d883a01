/** Opens a `<dialog>` as a modal one when it is drawn. */

import { nothing } from "lit";
import { Directive, type ElementPart, directive } from "lit/directive.js";

class ShowModal extends Directive {
  override render(): typeof nothing {
    return nothing;
  }

  override update({ element }: ElementPart): typeof nothing {
    const dialog = element as HTMLDialogElement;
    void Promise.resolve().then(() => {
      if (dialog.isConnected && !dialog.open) {
        dialog.showModal();
      }
    });
    return nothing;
  }
}

export const showModal = directive(ShowModal);
