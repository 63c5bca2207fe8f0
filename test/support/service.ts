import { createTransport, type SendMailOptions } from 'nodemailer'
import {
  createService,
  type Home,
  type Listening,
  type Service,
  type ServiceOptions,
  type ServicePorts,
} from 'restante/service'

/** What the interface answered. */
export interface Answer {
  status: number
  headers: Headers
  // biome-ignore lint/suspicious/noExplicitAny: tests look at any answer, also at wrong ones
  body: any
}

export interface CallOptions {
  body?: unknown
  key?: string | null
  headers?: Record<string, string>
}

/** A service with its own account, and the ways to talk to it. */
export interface QuietService extends AsyncDisposable {
  service: Service
  home: Home
  /** Calls the interface as the account of the service, or with another key. */
  call(method: string, path: string, options?: CallOptions): Promise<Answer>
  /** Brings a mail in by SMTP, as a stranger would. */
  mail(mail: SendMailOptions): Promise<{ response: string }>
}

/** The same, and where it listens. */
export interface TestService extends QuietService {
  url: string
  smtp: string
}

const parse = (text: string) => {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/** A caller of the interface that needs no port. */
export function caller(service: Service, defaultKey: string) {
  return async (method: string, path: string, options: CallOptions = {}): Promise<Answer> => {
    const { body, key = defaultKey, headers } = options
    const request = new Request(`http://restante.test/v1${path}`, {
      method,
      headers: {
        ...(key !== null && { authorization: `Bearer ${key}` }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    })
    const response = await service.fetch(request)
    return { status: response.status, headers: response.headers, body: parse(await response.text()) }
  }
}

const transportTo = (smtp: string) => {
  const [host, port] = smtp.split(':') as [string, string]
  const tls = { rejectUnauthorized: false }
  return createTransport({ host, port: Number(port), pool: true, maxConnections: 10, tls })
}

/** Opens no port before the first mail, which saves most of the time that a start takes. */
export async function openService(
  options: ServiceOptions = {},
  ports: ServicePorts = {},
): Promise<QuietService & { listen(): Promise<Listening> }> {
  const service = await createService(
    { http: '127.0.0.1:0', smtp: '127.0.0.1:0', log: 'silent', ...options },
    ports,
  )
  const home = await service.home()
  let listening: Promise<Listening> | undefined
  const listen = () => (listening ??= service.listen())
  let transport: ReturnType<typeof transportTo> | undefined
  return {
    service,
    home,
    listen,
    call: caller(service, home.apiKey),
    async mail(mail) {
      const { smtp } = await listen()
      transport ??= transportTo(smtp)
      const usual = { from: 'Ana <ana@example.com>', to: home.address, subject: 'Hello', text: 'Hi' }
      return transport.sendMail({ ...usual, ...mail })
    },
    async [Symbol.asyncDispose]() {
      transport?.close()
      await listening?.catch(() => {})
      await service.close()
    },
  }
}

export async function startService(options?: ServiceOptions, ports?: ServicePorts): Promise<TestService> {
  const quiet = await openService(options, ports)
  const { url, smtp } = await quiet.listen()
  return { ...quiet, url, smtp }
}
