/** Saves a file without showing it. Frees its URL after a minute, when the browser has surely begun. */
export function save(content: Blob, name: string): void {
  const url = URL.createObjectURL(content)
  Object.assign(document.createElement('a'), { href: url, download: name }).click()
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
}
