/** Message from the console to the document that shows the HTML of a message. */
export type ToFrame =
  /** Show this HTML. */
  | { kind: 'show'; html: string }
  /** Pictures as data URLs, by the address that the HTML has for them. */
  | { kind: 'pictures'; pictures: Record<string, string> }

/** Message from that document to the console. It holds a stranger's HTML, so nothing in it is trusted. */
export type FromFrame =
  /** The document is ready. An error page that the browser shows in its place never sends this. */
  | { kind: 'ready' }
  | {
      kind: 'shown'
      /** Height of the whole content, in pixels. */
      height: number
      /** `cid:` addresses of pictures within the message. */
      inside: string[]
      /** Addresses of external pictures, as the HTML names them. */
      outside: string[]
    }
  | { kind: 'height'; height: number }
  /** Link under the pointer or with the focus; null for none. */
  | { kind: 'over'; href: string | null }
  /** A followed link whose text names another host than the one that it leads to. */
  | { kind: 'misled'; href: string; text: string }
