import { useSignal } from '@preact/signals'
import type { Account } from '../../protocol/records/account'
import type { NewApiKey } from '../../protocol/records/console'
import { call } from '../core/ask'
import { tell } from '../core/notices'
import { Button, Field, Form } from '../parts/button'
import { Dialog } from '../parts/dialog'

const meanings = {
  read: 'Read messages',
  send: 'Send messages without your approval',
  manage: 'Label and delete messages, write drafts, manage webhooks and domains',
}

const bringing = 'Deliver inbound email over HTTP, and nothing else'

interface NewKeyProps {
  account: Account
  onMade: (key: NewApiKey) => Promise<void>
  onClose: () => void
}

/** Asks for the name, scopes and reach of a new key. */
export function NewKey({ account, onMade, onClose }: NewKeyProps) {
  const brings = useSignal(false)
  const make = async (data: FormData, key: string) => {
    const inbox_id = String(data.get('inbox_id') ?? '')
    const body = {
      name: String(data.get('name')),
      scopes: brings.value ? ['inbound'] : data.getAll('scopes'),
      ...(inbox_id !== '' && { inbox_id }),
    }
    await onMade(await call(`/console/accounts/${account.tenant_id}/keys`, { method: 'POST', body, key }))
  }
  return (
    <Dialog title="Create key" onClose={onClose}>
      <Form submit="Create" onSubmit={make} onCancel={onClose}>
        <Field label="Name">
          <input name="name" maxLength={100} placeholder="Who uses it, such as “support agent”" required />
        </Field>
        <fieldset class="stack">
          <legend>Scopes</legend>
          {Object.entries(meanings).map(([scope, meaning]) => (
            <label key={scope} class="check">
              <input type="checkbox" name="scopes" value={scope} defaultChecked disabled={brings.value} />
              {meaning}
            </label>
          ))}
          <label class="check">
            <input
              type="checkbox"
              name="brings"
              onChange={(event) => (brings.value = event.currentTarget.checked)}
            />
            {bringing}
          </label>
        </fieldset>
        <Field label="Access">
          <select name="inbox_id">
            <option value="">The whole account</option>
            {account.inboxes.map(({ id, address }) => (
              <option key={id} value={id}>
                Only {address}
              </option>
            ))}
          </select>
        </Field>
      </Form>
    </Dialog>
  )
}

/** Shows a new key, this once. */
export function Shown({ made, onClose }: { made: NewApiKey; onClose: () => void }) {
  const copy = async () => {
    await navigator.clipboard.writeText(made.api_key)
    tell('Copied.')
  }
  return (
    <section class="card stack" aria-label="New API key">
      <h2>“{made.name}” is created</h2>
      <p>Save the key now: it is not shown again.</p>
      <input
        class="input mono"
        aria-label="New API key"
        readOnly
        value={made.api_key}
        spellcheck={false}
        onFocus={(event) => event.currentTarget.select()}
      />
      <div class="row">
        <Button kind="primary" onPress={copy}>
          Copy
        </Button>
        <Button kind="quiet" onPress={onClose}>
          Done
        </Button>
      </div>
    </section>
  )
}
