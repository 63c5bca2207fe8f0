import type { Service } from 'restante/service'
import type { Answer } from './service'

const origin = 'http://restante.test'

/** A human with a browser: cookies, and requests as the pages of the console make them. */
export class Browser {
  readonly #service: Pick<Service, 'fetch'>
  readonly cookies = new Map<string, string>()

  constructor(service: Pick<Service, 'fetch'>) {
    this.#service = service
  }

  async ask(
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = { origin },
  ): Promise<Answer> {
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const request = new Request(`${origin}${path}`, {
      method,
      headers: {
        ...headers,
        ...(cookie && { cookie }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    const response = await this.#service.fetch(request)
    for (const set of response.headers.getSetCookie()) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(set)!
      if (/max-age=0/i.test(set)) this.cookies.delete(name!)
      else this.cookies.set(name!, value!)
    }
    const text = await response.text()
    const isJson = response.headers.get('content-type')?.includes('json')
    return { status: response.status, headers: response.headers, body: isJson ? JSON.parse(text) : text }
  }

  /** One step of signing in, such as `sign-up`. */
  sign(step: string, body: object = {}): Promise<Answer> {
    return this.ask('POST', `/console/auth/${step}`, body)
  }

  /** Calls an operation of the console. */
  call(method: string, path: string, body?: unknown): Promise<Answer> {
    return this.ask(method, `/v1/console${path}`, body)
  }
}

let count = 0

/** An operator who has just made a login. */
export async function signedIn(service: Service): Promise<Browser> {
  const browser = new Browser(service)
  const answer = await browser.sign('sign-up', {
    email: `operator-${count++}@example.com`,
    password: 'correct horse battery',
  })
  if (answer.status !== 200) throw new Error(`sign-up: ${JSON.stringify(answer.body)}`)
  return browser
}

/** What stands after `#token=`, or `#link=`. */
export const secretOf = (url: string): string => url.slice(url.indexOf('=') + 1)
