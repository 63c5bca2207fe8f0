/** Answer with its own status or header fields. */
export class AnswerWith {
  readonly body: unknown
  readonly status: number
  readonly headers: Record<string, string>

  constructor(body: unknown, status: number, headers: Record<string, string> = {}) {
    this.body = body
    this.status = status
    this.headers = headers
  }
}
