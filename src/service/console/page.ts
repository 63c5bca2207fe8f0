/** Building blocks for the pages of the console. All text from elsewhere is put into them as text. */

type Child = Node | string | undefined

export const main = document.getElementById('main')!
const said = document.getElementById('said')!

export function el<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  properties: Partial<HTMLElementTagNameMap[Tag]> = {},
  ...children: Child[]
): HTMLElementTagNameMap[Tag] {
  const element = Object.assign(document.createElement(tag), properties)
  element.append(...children.filter((child) => child !== undefined))
  return element
}

class Refused extends Error {
  readonly code: string
  constructor(code: string, message: string) {
    super(message)
    this.code = code
  }
}

// biome-ignore lint/suspicious/noExplicitAny: the service answers what its description says
async function ask(method: string, path: string, body?: object): Promise<any> {
  const response = await fetch(path, {
    method,
    ...(body && { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
  }).catch(() => {
    throw new Refused('network', 'The service cannot be reached: check your connection and try again.')
  })
  const answer = response.status === 204 ? undefined : await response.json().catch(() => ({}))
  if (!response.ok) throw new Refused(answer.error ?? '', answer.message ?? 'This did not work: try again.')
  return answer
}

export const sign = (step: string, body?: object) => ask(body ? 'POST' : 'GET', `auth/${step}`, body)
export const api = (method: string, path: string, body?: object) => ask(method, `../v1/console/${path}`, body)

/** Reads a list to its end. */
export async function pages<T>(path: string, name: string): Promise<T[]> {
  const all: T[] = []
  let cursor: string | null = null
  do {
    const page: Record<string, unknown> = await api(
      'GET',
      `${path}?limit=100${cursor === null ? '' : `&cursor=${encodeURIComponent(cursor)}`}`,
    )
    all.push(...(page[name] as T[]))
    cursor = page.next_cursor as string | null
  } while (cursor !== null)
  return all
}

export function tell(text: string, bad = false): void {
  said.textContent = text
  if (text !== '') said.scrollIntoView({ block: 'nearest' })
  said.className = bad ? 'bad' : ''
}

export function show(title: string, ...children: Child[]): void {
  const heading = el('h1', { tabIndex: -1 }, title)
  main.replaceChildren(heading, ...children.filter((child) => child !== undefined))
  document.title = `${title} · Restante`
  heading.focus()
}

let whenSignedOut = async () => {}
/** Sets what is done where the service says that nobody is signed in. */
export function onSignedOut(work: () => Promise<void>): void {
  whenSignedOut = work
}

/** Does something once at a time, and says what went wrong. */
export async function attempt(control: HTMLButtonElement | null, work: () => Promise<void>): Promise<void> {
  if (control) control.disabled = true
  try {
    tell('')
    await work()
  } catch (error) {
    if (error instanceof Refused && error.code === 'sign_in_required') await whenSignedOut()
    tell((error as Error).message, true)
  } finally {
    if (control) control.disabled = false
  }
}

export function button(text: string, work: () => Promise<void>, className = ''): HTMLButtonElement {
  const control = el('button', { type: 'button', className }, text)
  control.addEventListener('click', () => void attempt(control, work))
  return control
}

export function form(
  submit: string,
  fields: Child[],
  work: (data: FormData) => Promise<void>,
  ...more: Child[]
) {
  const control = el('button', { type: 'submit' }, submit)
  const element = el('form', {}, ...fields, el('div', { className: 'row' }, control, ...more))
  element.addEventListener('submit', (event) => {
    event.preventDefault()
    void attempt(control, () => work(new FormData(element)))
  })
  return element
}

export const field = (label: string, properties: Partial<HTMLInputElement>) =>
  el('label', {}, label, el('input', { required: true, ...properties }))

export const text = (data: FormData, name: string) => String(data.get(name) ?? '')
