import { runInNewContext } from 'node:vm'
import type { Service } from 'restante/service'
import type { Browser } from './console'

type Node = Element | string

/** As much of an element as the script of the console uses. */
class Element {
  readonly tag: string
  readonly #listeners: Record<string, (event: object) => void> = {}
  children: Node[] = []

  constructor(tag: string) {
    this.tag = tag
  }

  append(...nodes: Node[]) {
    this.children.push(...nodes)
  }
  replaceChildren(...nodes: Node[]) {
    this.children = nodes
  }
  addEventListener(type: string, listener: (event: object) => void) {
    this.#listeners[type] = listener
  }
  hasChildNodes() {
    return this.children.length > 0
  }
  focus() {}
  scrollIntoView() {}
  click() {
    this.#listeners.click!({})
  }
  set textContent(text: string) {
    this.children = text === '' ? [] : [text]
  }
  get textContent(): string {
    return this.children.map((node) => (typeof node === 'string' ? node : node.textContent)).join('')
  }
  /** All of a kind within, in their order. */
  all(tag: string): Element[] {
    return this.children.flatMap((node) =>
      typeof node === 'string' ? [] : [...(node.tag === tag ? [node] : []), ...node.all(tag)],
    )
  }
  /** What a person reads, each paragraph, heading or button on a line. */
  lines(): string[] {
    const leaves = ['p', 'h1', 'h2', 'h3', 'pre', 'button']
    return this.children.flatMap((node) => {
      if (typeof node === 'string') return [node]
      return leaves.includes(node.tag) ? [node.textContent] : node.lines()
    })
  }
}

/** A status that is answered in the place of the service. */
export type Refusing = (path: string) => number | undefined

/** Opens the console as a browser does, with the script that the service gives. */
export async function openConsole(
  service: Pick<Service, 'fetch'>,
  browser: Browser,
  refusing: Refusing = () => undefined,
) {
  const base = 'http://restante.test/console/claim'
  const elements: Record<string, Element> = {}
  for (const id of ['main', 'said', 'who']) elements[id] = new Element('div')
  const asked: string[] = []
  const fetch = async (to: string, { method = 'GET', body }: { method?: string; body?: string } = {}) => {
    const { pathname, search } = new URL(to, base)
    asked.push(`${method} ${pathname}${search}`)
    const refused = refusing(pathname)
    if (refused !== undefined)
      return Response.json(
        { error: 'refused', message: `It is refused with ${refused}.` },
        { status: refused },
      )
    const answer = await browser.ask(method, `${pathname}${search}`, body && JSON.parse(body))
    if (answer.status === 204) return new Response(null, { status: 204 })
    return Response.json(answer.body, { status: answer.status })
  }
  const document = {
    title: '',
    visibilityState: 'visible',
    getElementById: (id: string) => elements[id],
    createElement: (tag: string) => new Element(tag),
    addEventListener() {},
  }
  const script = await (await service.fetch(new Request(new URL('claim.js', base)))).text()
  runInNewContext(script, {
    document,
    fetch,
    window: { addEventListener() {} },
    location: { hash: '', pathname: '/console/claim' },
    history: { replaceState() {} },
    sessionStorage: { getItem: () => null, setItem() {}, removeItem() {} },
    URLSearchParams,
  })
  return { main: elements.main!, asked }
}
