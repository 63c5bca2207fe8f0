/** A message of the console to the document that shows the HTML of a mail. */
export type ToFrame =
  /** Show this. */
  | { kind: 'show'; html: string }
  /** Here are pictures: as data, by where the HTML says that they are. */
  | { kind: 'pictures'; pictures: Record<string, string> }

/** A message of it to the console. It holds a stranger's HTML: nothing of it is believed. */
export type FromFrame =
  /** It is there, and can be told what to show: a page that the browser puts in its place never says so. */
  | { kind: 'ready' }
  | {
      kind: 'shown'
      /** In pixels, as all of it takes. */
      height: number
      /** Pictures of the mail itself, by their `cid:` addresses. */
      inside: string[]
      /** Pictures from outside, as the HTML names them. */
      outside: string[]
    }
  | { kind: 'height'; height: number }
  /** The link under the pointer or with the focus; null for none. */
  | { kind: 'over'; href: string | null }
  /** A link was followed whose text names another host than it leads to. */
  | { kind: 'misled'; href: string; text: string }
