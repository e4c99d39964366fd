/** Go to another page of Astragal without loading everything again. */
export function navigate(path: string): void {
  history.pushState(null, "", path);
  window.dispatchEvent(new Event("astragal-go"));
}
