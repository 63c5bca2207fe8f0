import { createTransport, type SendMailOptions } from 'nodemailer'
import {
  createService,
  type Home,
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

/** A listening service with its own account, and the ways to talk to it. */
export interface TestService extends AsyncDisposable {
  service: Service
  url: string
  smtp: string
  home: Home
  /** Calls the interface as the account of the service, or with another key. */
  call(method: string, path: string, options?: CallOptions): Promise<Answer>
  /** Brings a mail in by SMTP, as a stranger would. */
  mail(mail: SendMailOptions): Promise<{ response: string }>
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

export async function startService(
  options: ServiceOptions = {},
  ports: ServicePorts = {},
): Promise<TestService> {
  const service = await createService(
    { http: '127.0.0.1:0', smtp: '127.0.0.1:0', log: 'silent', ...options },
    ports,
  )
  const { url, smtp } = await service.listen()
  const home = await service.home()
  const [host, port] = smtp.split(':') as [string, string]
  const transport = createTransport({
    host,
    port: Number(port),
    pool: true,
    maxConnections: 10,
    tls: { rejectUnauthorized: false },
  })
  return {
    service,
    url,
    smtp,
    home,
    call: caller(service, home.apiKey),
    mail: (mail) =>
      transport.sendMail({
        from: 'Ana <ana@example.com>',
        to: home.address,
        subject: 'Hello',
        text: 'Hi',
        ...mail,
      }),
    async [Symbol.asyncDispose]() {
      transport.close()
      await service.close()
    },
  }
}
