import { type Signal, signal } from '@preact/signals'
import { base } from '../core/location'
import type { FromFrame, ToFrame } from './frame/protocol'

/** Sandboxed document and the port to it. The port queues messages until the document is ready. */
export interface Frame {
  element: HTMLIFrameElement
  port: MessagePort
  /** True once the document reported that it is ready; null before, false if something else was loaded. */
  isReady: Signal<boolean | null>
}

/** Time in ms for a loaded document to report that it is ready. */
const answerMs = 3_000

/** Creates the element of a document, which starts to load once the element is in the page. */
export function makeFrame(): Frame {
  const element = document.createElement('iframe')
  element.title = 'HTML of the message'
  element.setAttribute('sandbox', 'allow-scripts allow-popups allow-popups-to-escape-sandbox')
  element.referrerPolicy = 'no-referrer'
  element.src = `${base}/html`
  const { port1, port2 } = new MessageChannel()
  // An opaque origin has no name; the policy of this page allows no other document in the frame.
  const isReady = signal<boolean | null>(null)
  const begin = () => {
    element.contentWindow!.postMessage(null, '*', [port2])
    // The error page that a browser shows for a failed load also fires `load`, but reports nothing.
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

/** `moveBefore`, which moves an element so that a frame keeps its document. Not every browser has it. */
interface Mover {
  moveBefore?(node: Node, child: Node | null): void
}

/** Puts a frame where it is visible. */
export function place({ element }: Frame, into: HTMLElement & Mover): void {
  element.hidden = false
  if (element.isConnected) into.moveBefore!(element, null)
  else into.append(element)
}

/** Pool of one hidden document: creating it takes longer than reading the message that it shows. */
export class Frames {
  #spare: Frame | null = null

  /** Prepares a document, if the browser can move it into view without reloading it. */
  prepare(): void {
    if (this.#spare || !('moveBefore' in Element.prototype)) return
    this.#spare = makeFrame()
    this.#spare.element.hidden = true
    document.body.append(this.#spare.element)
  }

  /** Returns an unused document: the prepared one, or a new one that starts to load. */
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
