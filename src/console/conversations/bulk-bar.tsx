import { useSignal } from '@preact/signals'
import type { Mailbox } from '../../mailbox/mailbox'
import { tell } from '../core/notices'
import { Button } from '../parts/button'
import { useFocus } from '../parts/dialog'
import { actOn, type BulkAction, bulkActions, label, markRead } from './bulk'

interface BulkProps {
  mailbox: Mailbox
  ids: ReadonlySet<string>
  onDone: () => void
}

const countOf = ({ size }: ReadonlySet<string>) => (size === 1 ? 'Conversation' : `${size} conversations`)

function LabelForm({ onLabel }: { onLabel: (name: string) => Promise<void> }) {
  const name = useSignal('')
  return (
    <div class="row" ref={useFocus<HTMLDivElement>()}>
      <input
        class="input"
        aria-label="Label to add"
        placeholder="Label name"
        maxLength={100}
        onInput={(event) => (name.value = event.currentTarget.value)}
      />
      <Button onPress={async () => name.value.trim() && onLabel(name.value.trim())}>Add</Button>
    </div>
  )
}

/** Shows the actions on the selected conversations. */
export function BulkBar({ mailbox, ids, onDone }: BulkProps) {
  const labelling = useSignal(false)
  const run = (work: () => Promise<void>, done: string) => async () => {
    await work()
    tell(`${countOf(ids)} ${done}.`)
    onDone()
  }
  return (
    <div class="row many" role="toolbar" aria-label="Selected conversations">
      <strong>{ids.size} selected</strong>
      {(Object.keys(bulkActions) as BulkAction[]).map((action) => (
        <Button
          key={action}
          kind="quiet"
          onPress={run(() => actOn(mailbox, ids, action), bulkActions[action].done)}
        >
          {bulkActions[action].title}
        </Button>
      ))}
      <Button kind="quiet" onPress={run(() => markRead(mailbox, ids), 'marked as read')}>
        Mark read
      </Button>
      <Button kind="quiet" onPress={() => (labelling.value = !labelling.value)}>
        Label
      </Button>
      <Button kind="quiet" label="Select none" onPress={onDone}>
        ✕
      </Button>
      {labelling.value && (
        <LabelForm onLabel={(name) => run(() => label(mailbox, ids, name), `labelled “${name}”`)()} />
      )}
    </div>
  )
}
