import { isServiceError } from 'restante'
import type { Service } from 'restante/service'
import { type Client, createClient, type ServiceLike } from '../../../src/client/client'

/** The deeds that a step of a random run may do to an account. */
export type Deed = (world: MailWorld, a: number, b: number) => Promise<unknown>

const pick = <T>(list: readonly T[], at: number): T | undefined => list[at % Math.max(1, list.length)]

/** An account of a service that runs in this process, and what can be done to it from outside. */
export class MailWorld {
  readonly #service: Service
  readonly client: Client
  readonly inboxes: { id: string; address: string }[] = []
  /** Message-IDs of the mails that were written. */
  readonly #written: string[] = []
  readonly #names = ['red', 'blue', 'Green', 'spam']

  private constructor(service: Service, client: Client) {
    this.#service = service
    this.client = client
  }

  static async open(service: Service & ServiceLike, apiKey: string): Promise<MailWorld> {
    const client = createClient({
      url: 'http://service.internal/v1',
      apiKey,
      fetch: (address, init) => service.fetch(new Request(address, init)),
    })
    const world = new MailWorld(service, client)
    world.inboxes.push(...(await client.account.get({})).inboxes)
    return world
  }

  /** Somebody writes: anew, in answer to a mail, or in answer to two, which makes their threads one. */
  async mail(a: number, b: number): Promise<void> {
    const to = pick(this.inboxes, a)
    if (!to) return
    const id = `<${this.#written.length}.${Math.random()}@example.com>`
    const parents =
      b % 3 === 0 ? [] : [pick(this.#written, a), b % 3 === 2 ? pick(this.#written, b) : undefined]
    const references = [...new Set(parents.filter(Boolean))].join(' ')
    this.#written.push(id)
    const lines = [
      'From: Ana <ana@example.com>',
      `To: ${to.address}`,
      `Subject: Mail ${b}`,
      `Message-ID: ${id}`,
      ...(references ? [`References: ${references}`] : []),
      '',
      `Text ${a} ${b}`,
      '',
    ]
    const raw = new TextEncoder().encode(lines.join('\r\n'))
    await this.#service.receive({ mailFrom: 'ana@example.com', recipients: [to.address] }, raw)
  }

  async #messages() {
    return (await this.client.messages.list({ include: 'all', limit: 100 })).messages
  }
  async #labels() {
    return (await this.client.labels.list({ limit: 100 })).labels
  }
  async #drafts() {
    return (await this.client.drafts.list({ limit: 100 })).drafts
  }

  async assign(a: number, b: number): Promise<void> {
    const message = pick(await this.#messages(), a)
    const label = pick(
      (await this.#labels()).map(({ id }) => id),
      b,
    )
    if (message && label) await this.client.labels.assign({ id: label, message_id: message.id })
  }
  async unassign(a: number, b: number): Promise<void> {
    const message = pick(
      (await this.#messages()).filter(({ label_ids }) => label_ids.length > 0),
      a,
    )
    const label = pick(message?.label_ids ?? [], b)
    if (message && label) await this.client.labels.unassign({ id: label, message_id: message.id })
  }
  async makeLabel(a: number): Promise<void> {
    await this.client.labels.create({ name: pick(this.#names, a) ?? 'red' })
  }
  async rename(a: number, b: number): Promise<void> {
    const label = pick(await this.#labels(), a)
    if (label) await this.client.labels.update({ id: label.id, name: pick(this.#names, b) ?? 'blue' })
  }
  async dropLabel(a: number): Promise<void> {
    const label = pick(await this.#labels(), a)
    if (label) await this.client.labels.delete({ id: label.id })
  }
  async deleteMessage(a: number): Promise<void> {
    const message = pick(await this.#messages(), a)
    if (message) await this.client.messages.delete({ id: message.id })
  }
  async deleteThread(a: number): Promise<void> {
    const thread = pick((await this.client.threads.list({ include: 'all', limit: 100 })).threads, a)
    if (thread) await this.client.threads.delete({ id: thread.id })
  }
  async reply(a: number, b: number): Promise<void> {
    const message = pick(await this.#messages(), a)
    if (message) await this.client.messages.reply({ id: message.id, text: `Answer ${b}` })
  }
  async draft(a: number, b: number): Promise<void> {
    const inbox = pick(this.inboxes, a)
    const message = b % 2 === 0 ? pick(await this.#messages(), b) : undefined
    const reply = message && message.inbox_id === inbox?.id ? { reply_to_message_id: message.id } : {}
    if (inbox)
      await this.client.drafts.create({
        inbox_id: inbox.id,
        to: ['bo@example.com'],
        subject: `Draft ${b}`,
        text: 'x',
        ...reply,
      })
  }
  async changeDraft(a: number, b: number): Promise<void> {
    const draft = pick(await this.#drafts(), a)
    const scheduled = b % 2 === 0 ? { scheduled_at: '2099-01-01T00:00:00.000Z' } : {}
    if (draft) await this.client.drafts.update({ id: draft.id, subject: `Changed ${b}`, ...scheduled })
  }
  async dropDraft(a: number): Promise<void> {
    const draft = pick(await this.#drafts(), a)
    if (draft) await this.client.drafts.delete({ id: draft.id })
  }
  async sendDraft(a: number): Promise<void> {
    const draft = pick(await this.#drafts(), a)
    if (draft) await this.client.drafts.send({ id: draft.id })
  }
  async makeInbox(): Promise<void> {
    const { id, address } = await this.client.inboxes.create({})
    this.inboxes.push({ id, address })
  }
  /** The first one stays. */
  async dropInbox(a: number): Promise<void> {
    const at = 1 + (a % Math.max(1, this.inboxes.length - 1))
    const [inbox] = this.inboxes.splice(at, 1)
    if (inbox) await this.client.inboxes.delete({ id: inbox.id })
  }
}

/** Does a deed; what is refused is passed over. */
export const deeds = {
  mail: (world, a, b) => world.mail(a, b),
  reply: (world, a, b) => world.reply(a, b),
  assign: (world, a, b) => world.assign(a, b),
  unassign: (world, a, b) => world.unassign(a, b),
  makeLabel: (world, a) => world.makeLabel(a),
  rename: (world, a, b) => world.rename(a, b),
  dropLabel: (world, a) => world.dropLabel(a),
  deleteMessage: (world, a) => world.deleteMessage(a),
  deleteThread: (world, a) => world.deleteThread(a),
  draft: (world, a, b) => world.draft(a, b),
  changeDraft: (world, a, b) => world.changeDraft(a, b),
  dropDraft: (world, a) => world.dropDraft(a),
  sendDraft: (world, a) => world.sendDraft(a),
  makeInbox: (world) => world.makeInbox(),
  dropInbox: (world, a) => world.dropInbox(a),
} satisfies Record<string, Deed>

/** Does it, unless the service refuses. */
export const tryDeed = async (
  world: MailWorld,
  name: keyof typeof deeds,
  a: number,
  b: number,
): Promise<void> => {
  await (deeds[name] as Deed)(world, a, b).catch((error) => {
    if (!isServiceError(error)) throw error
  })
}
