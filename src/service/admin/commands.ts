import * as z from 'zod'
import { account } from '../../protocol/records/account'
import { apiKey, newApiKey } from '../../protocol/records/console'
import { draft, waitingDraft, waitingDraftWithContent } from '../../protocol/records/draft'
import { inboundProvider } from '../../protocol/records/inbound/provider'
import { sendResult } from '../../protocol/records/message'
import { verifyOperator } from '../accounts/operators'
import { minuteMs } from '../base/time'
import { holdRestoredJobs, releaseRestoredJobs } from '../jobs/held-jobs'
import { beginLogEpoch } from '../log/log-epoch'
import { readWaiting } from '../outbound/drafts/approval'
import { createAdmin, eachAccount } from './admin'
import { approveAs, eachWaiting, readFile, rejectAs } from './approvals'
import { createConsoleLink } from './console-link'
import { createAccountKey, createInboundKey, listAccountKeys, revokeAccountKey } from './keys'
import { moveBlobs } from './move-blobs'
import type { AdminPorts } from './ports'
import { reindexHere } from './reindex'
import { reparse } from './reparse'

/** Command of the administrator, for the socket of a running service, the database itself, and the CLI. */
export interface AdminCommand<
  Input extends z.ZodObject = z.ZodObject,
  Result extends z.ZodType = z.ZodType,
  Progress extends z.ZodType = z.ZodType,
> {
  /** Request. The CLI has an argument for each required field, and an option for each other one. */
  readonly input: Input
  readonly result: Result
  readonly progress?: Progress
  /** True if only a running service can answer. */
  readonly needsService?: boolean
  run(ports: AdminPorts, input: z.output<Input>, tell: (progress: object) => void): Promise<object>
}

/** Infers the types of a command from its schemas. */
const declare = <Input extends z.ZodObject, Result extends z.ZodType, Progress extends z.ZodType>(
  command: AdminCommand<Input, Result, Progress>,
) => command

const whose = 'id of the account, or an address of its inboxes'
const nothing = z.object({})
const maybeAccount = z.object({ account: z.string().optional().describe(`only this account: ${whose}`) })
const oneAccount = z.object({ account: z.string().describe(whose) })
const parsed = z.object({ read: z.number(), unread: z.number() })
const reindexed = z.object({ messages: z.number(), indexed: z.number(), embedded: z.number() })
const moved = z.object({ moved: z.number(), damaged: z.number() })
const jobs = z.object({ jobs: z.number() })
const oneDraft = z.object({ id: z.string() })
const decision = oneDraft.extend({ seq: z.number() })

/** Declares a change of an account. */
const change = (name: 'pause' | 'resume' | 'suspend' | 'unsuspend' | 'erase') =>
  declare({
    input: oneAccount,
    result: account,
    run: (ports, { account }) => createAdmin(ports)[name](account),
  })

/** All commands of the administrator, by name. No API key and no TCP port reaches them. */
export const adminCommands = {
  accounts: declare({ input: nothing, progress: account, result: nothing, run: eachAccount }),
  plan: declare({
    input: oneAccount.extend({
      plan: z.string().describe('name of the plan: standard, unlimited, or one from the setting plans'),
    }),
    result: account,
    run: (ports, { account, plan }) => createAdmin(ports).plan(account, plan),
  }),
  pause: change('pause'),
  resume: change('resume'),
  suspend: change('suspend'),
  unsuspend: change('unsuspend'),
  erase: change('erase'),
  hold: declare({
    input: nothing,
    result: jobs,
    async run({ store }) {
      const held = await holdRestoredJobs(store)
      await beginLogEpoch(store)
      return { jobs: held }
    },
  }),
  'send-held': declare({
    input: nothing,
    result: jobs,
    run: async (ports) => ({ jobs: await releaseRestoredJobs(ports) }),
  }),
  'verify-operator': declare({
    input: z.object({
      email: z
        .email({ error: ({ input }) => `${String(input).slice(0, 254)} is not an email address.` })
        .max(254)
        .describe('address of their console login'),
    }),
    result: z.object({ email: z.string() }),
    run: (ports, { email }) => verifyOperator(ports, email),
  }),
  'console-link': declare({
    input: nothing,
    result: z.object({ url: z.string() }),
    run: async (ports) => ({ url: await createConsoleLink(ports) }),
  }),
  /** Address and key of the home account, for commands in the folder of a service. */
  home: declare({
    input: nothing,
    result: z.looseObject({ url: z.string().nullable() }),
    needsService: true,
    run: ({ service }) => service!.home(),
  }),
  /** Keeps large messages from being erased, while a backup copies them. */
  'hold-blobs': declare({
    input: z.object({ for_ms: z.number().min(0) }),
    result: nothing,
    needsService: true,
    async run({ service }, { for_ms }) {
      await service!.eraser?.hold(Math.min(for_ms, 10 * minuteMs))
      return {}
    },
  }),
  reparse: declare({
    input: maybeAccount,
    progress: parsed.extend({ seen: z.number() }),
    result: parsed,
    // Fields by name: a copy of all would also read the secret, which this needs not.
    run: async (ports, { account }, tell) => {
      const { store, clock, signals, registry, parser } = ports
      const blobs = await ports.openBlobs()
      return reparse({ store, clock, signals, registry, parser, blobs }, account, tell)
    },
  }),
  reindex: declare({ input: maybeAccount, progress: reindexed, result: reindexed, run: reindexHere }),
  'move-blobs': declare({
    input: nothing,
    progress: moved,
    result: moved,
    run: (ports, _input, tell) => moveBlobs(ports, ports.place, tell, ports.service?.isClosing),
  }),
  'list-waiting': declare({ input: maybeAccount, progress: waitingDraft, result: nothing, run: eachWaiting }),
  'read-waiting': declare({
    input: oneDraft,
    result: waitingDraftWithContent,
    run: (ports, { id }) => readWaiting(ports, undefined, id),
  }),
  'read-waiting-file': declare({
    input: oneDraft.extend({ position: z.number().int().min(0) }),
    result: z.object({ filename: z.string(), content_base64: z.string() }),
    run: readFile,
  }),
  approve: declare({ input: decision, result: z.union([sendResult, draft]), run: approveAs }),
  reject: declare({
    input: decision.extend({ reason: z.string().optional() }),
    result: draft,
    run: rejectAs,
  }),
  'inbound-key': declare({
    input: z.object({
      /** Account whose inboxes it delivers to; undefined for all accounts. */
      account: z.string().optional(),
      name: z.string(),
      trusted: z.boolean(),
      provider: inboundProvider.optional(),
    }),
    result: newApiKey,
    run: createInboundKey,
  }),
  'keys-create': declare({
    input: maybeAccount.extend({
      name: z.string(),
      scopes: z.array(z.enum(['read', 'send', 'manage'])).min(1),
      /** Address or id of the only inbox that the key opens. */
      inbox: z.string().optional(),
      expires_at: z.iso.datetime().optional(),
    }),
    result: newApiKey,
    run: createAccountKey,
  }),
  'keys-list': declare({
    input: maybeAccount.extend({ cursor: z.string().optional() }),
    result: z.object({ keys: z.array(apiKey), next_cursor: z.string().nullable() }),
    run: listAccountKeys,
  }),
  'keys-revoke': declare({
    input: maybeAccount.extend({ key: z.string() }),
    result: nothing,
    run: revokeAccountKey,
  }),
}

type Commands = typeof adminCommands
/** Name of a command, as on the socket. */
export type AdminCommandName = keyof Commands
/** Request of a command. */
export type AdminInput<Name extends AdminCommandName> = z.input<Commands[Name]['input']>
/** Answer of a command. */
export type AdminResult<Name extends AdminCommandName> = z.output<Commands[Name]['result']>
/** Progress of a command; unused if it reports none. */
export type AdminProgress<Name extends AdminCommandName> = z.output<NonNullable<Commands[Name]['progress']>>
