/** Returns the text of a field of a form that is submitted, and keeps the browser from leaving. */
export function field(event: SubmitEvent, name: string): string {
  event.preventDefault();
  return String(new FormData(event.target as HTMLFormElement).get(name) ?? "").trim();
}
