/** Values that a span may carry: ids, counts and names of operations; never what a message says, or whose it is. */
type Attributes = Readonly<Record<string, string | number | boolean>>

/** One span, as far as it is used here. */
interface SdkSpan {
  setAttributes(attributes: Attributes): unknown
  setStatus(status: { code: number }): unknown
  end(): void
}

/** The part of `@opentelemetry/api`, in the place where every copy of it looks for an SDK. */
interface TraceApi {
  trace?: {
    getTracer(name: string): {
      startActiveSpan<T>(name: string, options: object, context: unknown, work: (span: SdkSpan) => T): T
    }
  }
  context?: { active(): unknown }
  propagation?: {
    inject(context: unknown, carrier: object, setter: object): void
    extract(context: unknown, carrier: object, getter: object): unknown
  }
}

const place = Symbol.for('opentelemetry.js.api.1')
const kinds = { internal: 0, server: 1, client: 2, producer: 3, consumer: 4 } as const
const failed = 2

/** Says more of what is traced, once that is known. */
type Tell = (attributes: Attributes) => void

interface TraceOptions {
  /** Default `internal`. */
  kind?: keyof typeof kinds
  attributes?: Attributes
  /** The header fields of the request that this answers: the span belongs to the trace that they name. */
  header?: ((name: string) => string | undefined) | undefined
  /** The span of what this is about, in a trace of its own, as {@link traceparent} gave it: earlier, or elsewhere. */
  about?: string | null | undefined
  /** Begins a trace of its own, independent of the caller. */
  root?: boolean
  /** The span that this belongs to, unless the work that goes on has one of its own. */
  within?: OpenSpan | null | undefined
}

/** The span of work that is not called from here, such as the body of a loop. */
export interface OpenSpan {
  /** What belonged to nothing else when it was opened, and belongs to it since. */
  readonly around: unknown
  readonly context: unknown
  end(): void
}

/** The SDK of this process; undefined where there is none, and then nothing of this costs anything. */
const sdk = (): TraceApi | undefined => (globalThis as { [place]?: TraceApi })[place]

const getter = {
  keys: () => ['traceparent', 'tracestate'],
  // Of several the last is the nearest: whoever traces HTTP itself adds its own.
  get: (header: NonNullable<TraceOptions['header']>, name: string) =>
    name === 'traceparent' ? header(name)?.split(/, */).at(-1) : header(name),
}
const setter = {
  // Not what else is handed on beside (`baggage` may speak of anybody), nor what no service lets a browser send.
  set: (fields: Record<string, string>, name: string, value: string) => {
    if (getter.keys().includes(name)) fields[name] = value
  },
}

const codeOf = (error: unknown): string => {
  const { code, name } = (error ?? {}) as { code?: unknown; name?: unknown }
  const told = String(code ?? name)
  return /^[\w.-]{1,64}$/.test(told) ? told : 'unknown'
}

/** What tells of work must not undo it: mail that went out would go out again. */
function quietly(tell: () => unknown): void {
  try {
    tell()
  } catch {}
}

const written = /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/

/** The options of a span as an SDK takes them. */
function optionsOf({ kind = 'internal', attributes = {}, about, root = false }: TraceOptions): object {
  const [, traceId, spanId, flags = ''] = written.exec(about ?? '') ?? []
  const context = { traceId, spanId, traceFlags: Number.parseInt(flags, 16), isRemote: true }
  return { kind: kinds[kind], attributes, root, ...(traceId && { links: [{ context }] }) }
}

/**
 * Carries work out within a span of OpenTelemetry, where the process has an SDK of it; by itself, else. Of an error the
 * span tells its code, not its words, which may speak of a message.
 */
export async function traced<T>(
  name: string,
  options: TraceOptions,
  work: (tell: Tell) => Promise<T>,
): Promise<T> {
  const { trace, context, propagation } = sdk() ?? {}
  if (!trace || !context) return work(() => {})
  const { header, within } = options
  const active = context.active()
  const around = within?.around === active ? within?.context : active
  const parent = header && propagation ? propagation.extract(around, header, getter) : around
  return trace.getTracer('restante').startActiveSpan(name, optionsOf(options), parent, async (span) => {
    try {
      return await work((more) => quietly(() => span.setAttributes(more)))
    } catch (error) {
      quietly(() => span.setStatus({ code: failed }))
      quietly(() => span.setAttributes({ 'error.type': codeOf(error) }))
      throw error
    } finally {
      quietly(() => span.end())
    }
  })
}

/** Opens a span for work that is not called from here; null without an SDK, or where that fails. */
export function openSpan(name: string, options: TraceOptions): OpenSpan | null {
  const { trace, context } = sdk() ?? {}
  if (!trace || !context) return null
  let opened: OpenSpan | null = null
  quietly(() => {
    const around = context.active()
    const begin = (span: SdkSpan) => {
      opened = { around, context: context.active(), end: () => quietly(() => span.end()) }
    }
    trace.getTracer('restante').startActiveSpan(name, optionsOf(options), around, begin)
  })
  return opened
}

/** The header fields by which another process goes on with the trace of this one; none without an SDK. */
export function traceHeaders(): Readonly<Record<string, string>> {
  const { context, propagation } = sdk() ?? {}
  const fields = {}
  if (context) propagation?.inject(context.active(), fields, setter)
  return fields
}

/** The span that goes on, to be kept with what comes of it (W3C Trace Context); null without an SDK. */
export function traceparent(): string | null {
  let fields: Readonly<Record<string, string>> = {}
  quietly(() => {
    fields = traceHeaders()
  })
  return fields.traceparent ?? null
}
