/** Attributes of a span: ids, counts and names of operations, never content of a message or its people. */
type Attributes = Readonly<Record<string, string | number | boolean>>

/** The part of a span that is used here. */
interface SdkSpan {
  setAttributes(attributes: Attributes): unknown
  setStatus(status: { code: number }): unknown
  end(): void
}

/** The part of `@opentelemetry/api`, at the place where every copy of it looks for an SDK. */
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

/** Adds attributes to a span, once they are known. */
type Tell = (attributes: Attributes) => void

interface TraceOptions {
  /** Default `internal`. */
  kind?: keyof typeof kinds
  attributes?: Attributes
  /** Header fields of the request that this answers: the span belongs to their trace. */
  header?: ((name: string) => string | undefined) | undefined
  /** A related span in another trace, as {@link traceparent} returned it: earlier, or in another process. */
  about?: string | null | undefined
  /** Starts a new trace, independent of the caller. */
  root?: boolean
  /** Parent span, unless the current work has its own. */
  within?: OpenSpan | null | undefined
}

/** Span of work that is not called from here, such as the body of a loop. */
export interface OpenSpan {
  /** Context when it was opened: work in that context belongs to this span. */
  readonly around: unknown
  readonly context: unknown
  end(): void
}

/** The SDK of this process; undefined if there is none, and then tracing costs nothing. */
const sdk = (): TraceApi | undefined => (globalThis as { [place]?: TraceApi })[place]

const getter = {
  keys: () => ['traceparent', 'tracestate'],
  // Of several, the last is the nearest: a tracer of HTTP itself appends its own.
  get: (header: NonNullable<TraceOptions['header']>, name: string) =>
    name === 'traceparent' ? header(name)?.split(/, */).at(-1) : header(name),
}
const setter = {
  // Omits `baggage`, which may name anybody, and fields that no service allows browsers to send.
  set: (fields: Record<string, string>, name: string, value: string) => {
    if (getter.keys().includes(name)) fields[name] = value
  },
}

const codeOf = (error: unknown): string => {
  const { code, name } = (error ?? {}) as { code?: unknown; name?: unknown }
  const type = String(code ?? name)
  return /^[\w.-]{1,64}$/.test(type) ? type : 'unknown'
}

/** A failure to report must not undo the work: a sent message would be sent again. */
function quietly(tell: () => unknown): void {
  try {
    tell()
  } catch {}
}

const written = /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/

/** Converts the options of a span for the SDK. */
function optionsOf({ kind = 'internal', attributes = {}, about, root = false }: TraceOptions): object {
  const [, traceId, spanId, flags = ''] = written.exec(about ?? '') ?? []
  const context = { traceId, spanId, traceFlags: Number.parseInt(flags, 16), isRemote: true }
  return { kind: kinds[kind], attributes, root, ...(traceId && { links: [{ context }] }) }
}

/**
 * Runs work within a span of OpenTelemetry, if the process has an SDK; else without. For an error, the span
 * gets its code, not its text, which may quote a message.
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

/** Opens a span for work that is not called from here; returns null without an SDK, or on failure. */
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

/** Returns the header fields by which another process continues this trace; none without an SDK. */
export function traceHeaders(): Readonly<Record<string, string>> {
  const { context, propagation } = sdk() ?? {}
  const fields = {}
  if (context) propagation?.inject(context.active(), fields, setter)
  return fields
}

/** Returns the current span, to be stored with its results (W3C Trace Context); null without an SDK. */
export function traceparent(): string | null {
  let fields: Readonly<Record<string, string>> = {}
  quietly(() => {
    fields = traceHeaders()
  })
  return fields.traceparent ?? null
}
