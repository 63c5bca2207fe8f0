import type { Mailbox, Message } from 'restante'
import { createWorld, type World } from 'restante/testing'
import type { ToolboxOptions } from 'restante/tools'
import { Actor, type Script } from './actor'
import type { Agent, OpenAgent } from './agents/agent'
import { bare, compose, type WrittenMail } from './mail'

/** The owner's options of the run: those of the adapters. */
export type OwnerOptions = Omit<ToolboxOptions, 'message'> & Record<string, unknown>

/** A secret word, and the mail that it came with. */
export interface Canary {
  readonly word: string
  readonly name: string
  /** Message-ID of the mail, or id of the draft. */
  readonly origin: string
}

/** A mail of the plot. */
export interface Written extends Omit<WrittenMail, 'to'> {
  /** Default: the desk. */
  to?: string | readonly string[]
}

export const desk = 'agent@restante.localhost'
export const backOffice = 'payroll@restante.localhost'

const consonants = 'bcdfghjklmnpqrstvwxz'

/** A word that stands nowhere else, the same in every run. */
const wordFor = (seed: string, letters: string, length: number): string => {
  let state = 2_166_136_261
  let word = ''
  for (const char of seed) state = Math.imul(state ^ char.charCodeAt(0), 16_777_619)
  for (let at = 0; at < length; at += 1) {
    state = Math.imul(state ^ (state >>> 15), 2_246_822_519) + at + 1
    word += letters[(state >>> 8) % letters.length]
  }
  return word
}

/** One plot: a service with people around it, secrets in its mail, and an agent that works with it. */
export class Stage implements AsyncDisposable {
  readonly world: World
  /** Over both inboxes. */
  readonly mailbox: Mailbox
  readonly options: OwnerOptions
  readonly canaries: Canary[] = []
  /** Mails that people wrote, by Message-ID. */
  readonly written = new Map<string, WrittenMail>()
  /** Ids of what the owner sent before, which is no work of an agent. */
  readonly earlier = new Set<string>()
  readonly actors: Actor[] = []
  /** Played by the plot while a tool waits. */
  whileWaiting: (() => Promise<unknown>) | null = null
  /** `label id` of messages that the owner labelled. */
  readonly labelled = new Set<string>()
  /** To whom the drafts go that were there before, by their id. */
  readonly draftRecipients = new Map<string, string[]>()
  /** Seen by the plot: something that is no canary and must not have happened. */
  readonly harm: string[] = []
  readonly #open: OpenAgent
  #script: Script
  #agent: Agent | null = null
  #count = 0

  constructor(world: World, mailbox: Mailbox, open: OpenAgent, options: OwnerOptions, script: Script) {
    this.world = world
    this.mailbox = mailbox
    this.options = options
    this.#open = open
    this.#script = script
  }

  /** Brings a mail, some time after the one before. In its text `{{name}}` becomes a secret of it, `{{code}}` digits. */
  async post(mail: Written): Promise<Message> {
    await this.world.advance({ seconds: 20 })
    const messageId = this.nextId(
      bare(mail.from)
        .split('@')
        .at(-1)!
        .replace(/[^\w.-]/g, ''),
    )
    const whole: WrittenMail = this.#withSecrets({ ...mail, to: [mail.to ?? desk].flat() }, messageId)
    this.written.set(messageId, whole)
    const raw = await compose(whole, messageId, new Date(this.world.clock.now()))
    const verdict = whole.forged ? 'fail' : 'pass'
    const recipients = [...whole.to, ...(whole.cc ?? [])]
      .map(bare)
      .filter((one) => one.endsWith('@restante.localhost'))
    const authentication = {
      ...({ spf: verdict, dkim: verdict, dmarc: verdict, arc: 'none' } as const),
      from_verified: !whole.forged,
      spf_aligned: !whole.forged && !whole.signed,
      signed_fields: [...(whole.signed ?? [])],
    }
    const judgedDomain = bare(whole.from).replace(/^.*@/, '').toLowerCase()
    await this.world.host.receive(
      { mailFrom: bare(whole.from), recipients, authentication, judgedDomain },
      raw as Uint8Array<ArrayBuffer>,
    )
    await this.world.settle()
    return this.find(messageId)
  }

  /** Something that the owner sent, before any agent works. */
  async send(mail: { to: string[]; cc?: string[]; subject: string; text: string; inbox?: string }) {
    const key = `sent-${this.canaries.length}`
    const { subject, text, ...where } = this.#withSecrets(mail, key)
    const { id } = await this.mailbox.send({ inbox: desk, ...where, subject, text })
    await this.world.settle()
    this.earlier.add(id)
    const { rfc822_message_id } = (await this.mailbox.messages.get(id)).record
    this.#moveSecrets(key, rfc822_message_id ?? id)
    return this.mailbox.messages.get(id)
  }

  /** A draft that the owner, or another run, left. */
  async draft(content: { to: string[]; subject: string; text: string }) {
    const key = `draft-${this.canaries.length}`
    const draft = await this.mailbox.drafts.create({ inbox: desk, ...this.#withSecrets(content, key) })
    this.#moveSecrets(key, draft.id)
    this.draftRecipients.set(draft.id, content.to)
    return draft
  }

  /** The owner puts a label on a message. */
  async label(message: Message, name: string): Promise<void> {
    await message.label(name)
    this.labelled.add(`${name} ${message.id}`)
  }

  /** The agent is given this message, or told to look at its inbox, and obeys. */
  async handle(message: Message | null, script: Script = this.#script): Promise<Actor> {
    this.#agent ??= await this.#open(this)
    const actor = new Actor(script)
    this.actors.push(actor)
    await this.#agent.turn(message, actor)
    await this.world.settle()
    return actor
  }

  /** A mail comes, and the agent handles it. */
  async turn(mail: Written, script?: Script): Promise<Actor> {
    return this.handle(await this.post(mail), script)
  }

  /** Does a step of an agent; the clock runs while it waits. */
  async carried<T>(tool: string, work: () => Promise<T>): Promise<T> {
    if (!tool.startsWith('wait_') && tool !== 'ask_by_mail') return work()
    let isOver = false
    const working = work().finally(() => {
      isOver = true
    })
    const plot = this.whileWaiting
    this.whileWaiting = null
    const passTime = async () => {
      await this.world.settle()
      await plot?.()
      for (let step = 0; step < 40 && !isOver; step += 1) {
        await new Promise((resolve) => setImmediate(resolve))
        await this.world.advance({ seconds: 5 })
      }
    }
    await Promise.race([working, passTime()])
    return working
  }

  /** Gives the mails that a person got, the newest last. */
  got(address: string) {
    return this.world.person(address).mails
  }

  /** The message with this Message-ID, as it is now. */
  async find(messageId: string): Promise<Message> {
    const found = (await this.everything()).find(({ record }) => record.rfc822_message_id === messageId)
    if (!found) throw new Error(`no mail ${messageId} came`)
    return found
  }

  /** Message-ID of what the agent or owner sent last to somebody. */
  lastIdTo(address: string): string[] {
    const id = this.got(address).at(-1)?.messageId
    return id ? [id] : []
  }

  /** Every message of the account, the oldest first. */
  async everything(): Promise<Message[]> {
    const { items } = await this.mailbox.messages.list({ limit: 100, spam: true })
    return items.toReversed()
  }

  /** The newest mail that an inbox has. */
  async newestIn(address: string): Promise<Message | null> {
    const inbox = this.mailbox.inboxes.find((one) => one.address === address)
    return (
      (await this.everything())
        .filter(({ direction, inboxId }) => direction === 'inbound' && inboxId === inbox?.id)
        .at(-1) ?? null
    )
  }

  nextId(domain: string): string {
    this.#count += 1
    return `<plot-${this.#count}@${domain}>`
  }

  secret(name: string): string {
    return this.canaries.find((one) => one.name === name)?.word ?? `no-secret-${name}`
  }

  /** No agent works any more. */
  async endAgent(): Promise<void> {
    await this.#agent?.close()
    this.#agent = null
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.endAgent()
    await this.world[Symbol.asyncDispose]()
  }

  #withSecrets<T extends object>(mail: T, origin: string): T {
    const written = JSON.stringify(mail).replace(/\{\{(\w+)\}\}/g, (_, name: string) => {
      const known = this.canaries.find((one) => one.name === name)
      const made = name.startsWith('code') ? wordFor(name, '123456789', 8) : wordFor(name, consonants, 14)
      const word = known?.word ?? made
      this.canaries.push({ word, name, origin })
      return word
    })
    return JSON.parse(written) as T
  }

  #moveSecrets(key: string, origin: string): void {
    for (const [at, one] of this.canaries.entries())
      if (one.origin === key) this.canaries[at] = { ...one, origin }
  }
}

/** Sets a stage whose agent works through one adapter. */
export async function openStage(open: OpenAgent, options: OwnerOptions, script: Script): Promise<Stage> {
  const world = await createWorld()
  const opened = await world.open()
  await opened.client.inboxes.create({ local_part: backOffice.split('@')[0]! })
  await opened.close()
  return new Stage(world, await world.open(), open, options, script)
}
