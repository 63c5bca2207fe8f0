import { useSignal } from '@preact/signals'
import { useRef } from 'preact/hooks'
import { parseAddress } from '../../mail/headers/address-list'
import type { AccountOperator } from '../../protocol/records/console'
import { fillReply, type ReplyValues, replyVariables } from '../../protocol/records/desk/reply-variables'
import type { SavedReply } from '../../protocol/records/desk/saved-reply'
import { call, Refused, readAll } from '../core/ask'
import { operator } from '../core/session'
import { shownLine } from '../core/shown'
import { Button, Field, Form } from '../parts/button'
import { Dialog } from '../parts/dialog'
import { useReading } from '../parts/reading'
import { Empty, Failed, Loading } from '../parts/states'
import type { Task } from './fields'

/** Reads the saved replies of an account, and the name of the operator for their texts. */
async function readReplies(account: string) {
  const [replies, { operators }] = await Promise.all([
    readAll<SavedReply>('/saved-replies', 'saved_replies', account),
    call<{ operators: AccountOperator[] }>(`/console/accounts/${account}/operators`),
  ])
  const own = operators.find(({ id }) => id === operator.value?.id)
  return { replies, operatorName: own?.name ?? null }
}

/** A title, a degree or a form of company. */
const notOfPerson =
  /(?:^|[\s,])(?:mrs?|ms|miss|dr|prof|sir|herr|frau|jr|phd|md|inc|llc|ltd|gmbh|corp|co|ag|plc|bv)(?:$|[\s,.])/i

/** Returns the first name in a name such as `Ana Silva` or `Silva, Ana`; undefined if it may have none, such as `Acme, Inc.`. */
const firstNameIn = (name: string): string | undefined =>
  notOfPerson.test(name) ? undefined : (name.split(',')[1] ?? name).trim().split(/\s/)[0]

/** Person whom the message is for: the sender of the answered message, else the first recipient. */
function correspondentOf(task: Task, to: string) {
  if (task.kind === 'reply') {
    const { direction, from_name, from_addr, to_addrs } = task.message.record
    if (direction === 'inbound') return { name: from_name ?? '', address: from_addr }
    return parseAddress(to_addrs[0] ?? '')
  }
  return parseAddress(to)
}

/** Returns the values of the variables for a message. */
function valuesOf(task: Task, { to, subject }: ReplyFields, operatorName: string | null): ReplyValues {
  const { name, address } = correspondentOf(task, to) ?? { name: '', address: '' }
  return {
    name,
    first_name: firstNameIn(name ?? ''),
    address,
    subject: task.kind === 'new' ? subject : task.message.subject,
    operator: operatorName,
  }
}

const isCode = (error: unknown, code: string): boolean => error instanceof Refused && error.code === code

const deleteReply = (account: string, { id }: SavedReply): Promise<unknown> =>
  call(`/saved-replies/${id}`, { method: 'DELETE', account })

/** @throws Refused if a saved reply has the name now */
async function requireFree(account: string, name: string): Promise<void> {
  const replies = await readAll<SavedReply>('/saved-replies', 'saved_replies', account)
  if (replies.some((one) => one.name === name))
    throw new Refused('', 'Not saved: another saved reply has this name. Choose a different name.')
}

/** Saves a reply under its new name and deletes the old one: first, if there is no room for both. */
async function rename(put: () => Promise<unknown>, remove: () => Promise<unknown>): Promise<void> {
  const removeOnce = () =>
    remove().catch((error) => {
      // The answer to an earlier deletion was lost.
      if (!isCode(error, 'not_found')) throw error
    })
  try {
    await put()
  } catch (error) {
    if (!isCode(error, 'saved_reply_limit_reached')) throw error
    await removeOnce()
    await put()
    return
  }
  await removeOnce()
}

interface EditorProps {
  account: string
  /** Null for a new one. */
  edited: SavedReply | null
  onEdit: () => void
  onDone: () => Promise<void>
  onCancel: () => void
}

/** Edits a saved reply, or a new one. */
function Editor({ account, edited, onEdit, onDone, onCancel }: EditorProps) {
  // A name that an earlier press may have saved is no other reply.
  const tried = useRef<string | undefined>(undefined)
  const save = async (data: FormData, key: string) => {
    const [name, text] = [String(data.get('name')).trim(), String(data.get('text'))]
    const put = () => call('/saved-replies', { method: 'POST', body: { name, text }, account, key })
    if (name !== edited?.name && name !== tried.current) await requireFree(account, name)
    tried.current = name
    if (!edited || edited.name === name) await put()
    else await rename(put, () => deleteReply(account, edited))
    await onDone()
  }
  return (
    <div onInput={onEdit}>
      <Form submit="Save" onSubmit={save} onCancel={onCancel}>
        <Field label="Name">
          <input name="name" required maxLength={100} defaultValue={edited?.name ?? ''} />
        </Field>
        <Field
          label="Text"
          hint={`Variables: ${replyVariables.map((name) => `{{${name}}}`).join(', ')}. They are filled when you insert the text.`}
        >
          <textarea name="text" rows={8} required maxLength={10_000} defaultValue={edited?.text ?? ''} />
        </Field>
      </Form>
    </div>
  )
}

interface RowProps {
  reply: SavedReply
  onInsert: () => void
  onEdit: () => void
  onDelete: () => Promise<unknown>
}

/** Shows a saved reply. Its deletion takes two presses. */
function Row({ reply, onInsert, onEdit, onDelete }: RowProps) {
  const isAsked = useSignal(false)
  const name = shownLine(reply.name)
  return (
    <li class="card stack" aria-label={name}>
      <strong>{name}</strong>
      <p class="soft saved">{reply.text}</p>
      <div class="row">
        {isAsked.value ? (
          <>
            <Button kind="danger" onPress={onDelete}>
              Delete “{name}”
            </Button>
            <Button kind="quiet" onPress={() => (isAsked.value = false)}>
              Cancel
            </Button>
          </>
        ) : (
          <>
            <Button onPress={onInsert} label={`Insert ${name}`}>
              Insert
            </Button>
            <Button kind="quiet" onPress={onEdit} label={`Edit ${name}`}>
              Edit
            </Button>
            <Button kind="quiet" onPress={() => (isAsked.value = true)} label={`Delete ${name}`}>
              Delete
            </Button>
          </>
        )}
      </div>
    </li>
  )
}

const NoReplies = () => (
  <Empty title="No saved replies">
    <p>Texts that you save appear here. Everybody in the account can use them.</p>
  </Empty>
)

/** Fields of the form that the variables name. */
interface ReplyFields {
  to: string
  subject: string
}

interface SavedRepliesProps {
  account: string
  task: Task
  fields: ReplyFields
  /** Gets the text with its variables filled, as far as they have values. */
  onInsert: (text: string) => void
  onClose: () => void
}

/** Lists the saved replies of an account: one is inserted, and each can be edited or deleted. */
export function SavedReplies({ account, task, fields, onInsert, onClose }: SavedRepliesProps) {
  const { value, error, again } = useReading(`saved replies of ${account}`, () => readReplies(account))
  /** Undefined if none is edited, null for a new one. */
  const edited = useSignal<SavedReply | null | undefined>(undefined)
  const isDirty = useSignal(false)
  const close = () => {
    edited.value = undefined
    isDirty.value = false
  }
  if (error.value || !value.value)
    return (
      <Dialog title="Saved replies" onClose={onClose}>
        {error.value ? (
          <Failed error={error.value} again={again} />
        ) : (
          <Loading what="Reading saved replies" />
        )}
      </Dialog>
    )
  const { replies, operatorName } = value.value
  const saved = async () => {
    close()
    await again()
  }
  return (
    <Dialog title="Saved replies" onClose={onClose} stays={isDirty.value}>
      {edited.value !== undefined ? (
        <Editor
          account={account}
          edited={edited.value}
          onEdit={() => (isDirty.value = true)}
          onDone={saved}
          onCancel={close}
        />
      ) : (
        <div class="stack">
          {replies.length === 0 && <NoReplies />}
          <ul class="stack">
            {replies.map((reply) => (
              <Row
                key={reply.id}
                reply={reply}
                onInsert={() => onInsert(fillReply(reply.text, valuesOf(task, fields, operatorName)))}
                onEdit={() => (edited.value = reply)}
                onDelete={() => deleteReply(account, reply).finally(again)}
              />
            ))}
          </ul>
          <div class="row">
            <Button onPress={() => (edited.value = null)}>New saved reply</Button>
            <Button kind="quiet" onPress={onClose}>
              Close
            </Button>
          </div>
        </div>
      )}
    </Dialog>
  )
}
