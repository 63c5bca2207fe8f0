import { checkChoice, checkOptions, type OptionNames, UsageError } from 'restante'
import type { TextForm } from './incoming'

/** Options of the adapter: how a bot receives messages, and what it may do. */
export interface MailboxAdapterOptions {
  /** Name of the adapter. It must equal its key in `adapters`. Default `restante`. */
  name?: string | undefined
  /** Name of the consumer, which the service remembers. Default: the name of the adapter. */
  consumer?: string | undefined
  /** Maximum number of conversations handled at the same time. Default 10. */
  concurrency?: number | undefined
  /**
   * Secret `whsec_…`, as the service showed it. Receives messages by webhooks in place of the consumer, for
   * hosts that run only during a request. Open the mailbox with `source: 'webhook'`.
   */
  webhookSecret?: string | readonly string[] | undefined
  /**
   * Form of `message.text`. `fenced`, the default, is for a model: the sender, whether the sender is proven,
   * and the text between marks that it cannot contain. `plain` is the text alone, for bots that read
   * commands; do not give it to a model.
   */
  text?: TextForm | undefined
  /** Maximum number of tokens of a fenced text. Default 4,000. */
  maxTokens?: number | undefined
  /**
   * Recipients of a post: `all`, the default, replies to everybody on the message if its sender is proven;
   * `sender` only to the sender. An unproven sender is answered alone, at its own address.
   */
  answer?: 'all' | 'sender' | undefined
  /** Subject of a message to a person opened with `openDM`. Default: the first line of the message. */
  subject?: string | undefined
  /** Name of the bot. Default: the inbox's address, or the adapter's name if there are several inboxes. */
  userName?: string | undefined
}

const names: OptionNames<MailboxAdapterOptions> = {
  name: 'string',
  consumer: 'string',
  concurrency: 'number',
  webhookSecret: true,
  text: true,
  maxTokens: 'number',
  answer: true,
  subject: 'string',
  userName: 'string',
}

/** Checks the options and fills in the defaults. @throws UsageError `invalid_options` */
export function readOptions(options: MailboxAdapterOptions) {
  checkOptions('createMailboxAdapter()', options, names)
  const { name = 'restante', consumer = name, text: form = 'fenced', maxTokens = 4_000 } = options
  const { answer = 'all' } = options
  checkChoice('text', form, ['fenced', 'plain'])
  checkChoice('answer', answer, ['all', 'sender'])
  if (!/^[a-z][\w-]{0,40}$/i.test(name))
    throw new UsageError('invalid_options', `name is letters, digits, _ and -, not ${JSON.stringify(name)}`)
  return { ...options, name, consumer, form, maxTokens, toAll: answer === 'all' }
}
