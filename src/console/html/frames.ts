import { type Signal, signal } from '@preact/signals'
import { base } from '../core'
import type { FromFrame, ToFrame } from './frame'

/** A document that can do nothing, and the way to tell it something: what is said before it is there waits for it. */
export interface Frame {
  element: HTMLIFrameElement
  port: MessagePort
  /** Whether the document is there, by its own word: null while that is open, false where something else was loaded. */
  isReady: Signal<boolean | null>
}

/** Time for a document that was loaded to say that it is there. */
const answerMs = 3_000

/** Makes the element of a document, which begins to load as soon as the element is in the page. */
export function makeFrame(): Frame {
  const element = document.createElement('iframe')
  element.title = 'HTML of the message'
  element.setAttribute('sandbox', 'allow-scripts allow-popups allow-popups-to-escape-sandbox')
  element.referrerPolicy = 'no-referrer'
  element.src = `${base}/html`
  const { port1, port2 } = new MessageChannel()
  // An opaque origin has no name; the policy of this page lets no other document into the frame.
  const isReady = signal<boolean | null>(null)
  const begin = () => {
    element.contentWindow!.postMessage(null, '*', [port2])
    // What the browser shows in place of a document that cannot be had is loaded as well, and says nothing.
    setTimeout(() => (isReady.value ??= false), answerMs)
  }
  element.addEventListener('load', begin, { once: true })
  port1.addEventListener('message', ({ data }: MessageEvent<FromFrame>) => {
    if (data.kind === 'ready') isReady.value = true
  })
  port1.start()
  return { element, port: port1, isReady }
}

export const tell = ({ port }: Frame, message: ToFrame): void => port.postMessage(message)

/** What moves an element without taking it out, so that a frame keeps its document. Not every browser has it. */
interface Mover {
  moveBefore?(node: Node, child: Node | null): void
}

/** Puts a frame where it is seen. */
export function place({ element }: Frame, into: HTMLElement & Mover): void {
  element.hidden = false
  if (element.isConnected) into.moveBefore!(element, null)
  else into.append(element)
}

/** Keeps one document ready, out of sight: to make one takes longer than to read the mail that it shows. */
export class Frames {
  #spare: Frame | null = null

  /** Makes one ready, where it can be brought into sight as it is. */
  prepare(): void {
    if (this.#spare || !('moveBefore' in Element.prototype)) return
    this.#spare = makeFrame()
    this.#spare.element.hidden = true
    document.body.append(this.#spare.element)
  }

  /** Gives a document that nothing was shown in: the one that is ready, or else one that begins to load. */
  take(): Frame {
    const spare = this.#spare
    if (spare?.isReady.value !== true) {
      this.close()
      return makeFrame()
    }
    this.#spare = null
    return spare
  }

  close(): void {
    this.#spare?.element.remove()
    this.#spare = null
  }
}
