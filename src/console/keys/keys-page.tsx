import { useSignal } from '@preact/signals'
import type { Account } from '../../protocol/records/account'
import type { ApiKey, NewApiKey } from '../../protocol/records/console'
import { call, readAll } from '../core/ask'
import { tell } from '../core/notices'
import { fullTime, shortTime } from '../core/times'
import { Button } from '../parts/button'
import { Dialog } from '../parts/dialog'
import { type PageProps, useReading } from '../parts/reading'
import { Empty, Failed, Loading } from '../parts/states'
import { NewKey, Shown } from './new-key'

const reachOf = ({ inboxes }: Account, { inbox_id }: ApiKey) =>
  inbox_id === null
    ? 'whole account'
    : (inboxes.find(({ id }) => id === inbox_id)?.address ?? 'a deleted inbox')

function Row({ account, apiKey, onRevoke }: { account: Account; apiKey: ApiKey; onRevoke: () => void }) {
  const { name, hint, scopes, created_at, last_used_at, expires_at } = apiKey
  return (
    <tr>
      <th scope="row" class="key-name">
        {name}
        {hint !== null && <span class="mono faint nowrap"> …{hint}</span>}
        <div class="narrow small faint">
          {last_used_at === null ? 'never used' : `used ${shortTime(last_used_at)}`}
        </div>
        {expires_at !== null && (
          <div class="small faint" title={fullTime(expires_at)}>
            {Date.parse(expires_at) > Date.now() ? 'expires' : 'expired'} {shortTime(expires_at)}
          </div>
        )}
      </th>
      <td>
        <span class="row">
          {scopes.map((scope) => (
            <span key={scope} class="tag">
              {scope}
            </span>
          ))}
        </span>
      </td>
      <td class="wide soft">{reachOf(account, apiKey)}</td>
      <td class="wide faint nowrap" title={fullTime(created_at)}>
        {shortTime(created_at)}
      </td>
      <td class="wide faint nowrap" title={last_used_at ? fullTime(last_used_at) : ''}>
        {last_used_at === null ? 'never' : shortTime(last_used_at)}
      </td>
      <td>
        <Button kind="danger" onPress={onRevoke} label={`Revoke ${name}`}>
          Revoke
        </Button>
      </td>
    </tr>
  )
}

interface RevokeProps {
  apiKey: ApiKey
  onRevoke: () => Promise<void>
  onClose: () => void
}

function Revoke({ apiKey, onRevoke, onClose }: RevokeProps) {
  return (
    <Dialog title={`Revoke “${apiKey.name}”?`} onClose={onClose}>
      <div class="stack">
        <p>
          Programs that use this key stop working at once. A revoked key cannot be restored: create a new one
          instead.
        </p>
        <div class="row">
          <Button kind="danger" onPress={onRevoke}>
            Revoke
          </Button>
          <Button kind="quiet" onPress={onClose}>
            Cancel
          </Button>
        </div>
      </div>
    </Dialog>
  )
}

function Keys({
  account,
  keys,
  onRevoke,
}: {
  account: Account
  keys: ApiKey[]
  onRevoke: (key: ApiKey) => void
}) {
  if (keys.length === 0)
    return (
      <Empty title="No API keys">
        <p>Keys appear here. Create one so that an agent or another program can use this account.</p>
      </Empty>
    )
  return (
    <table>
      <thead>
        <tr>
          <th>Name</th>
          <th>Scopes</th>
          <th class="wide">Access</th>
          <th class="wide">Created</th>
          <th class="wide">Last used</th>
          <th>
            <span class="hidden">Revoke</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {keys.map((key) => (
          <Row key={key.id} account={account} apiKey={key} onRevoke={() => onRevoke(key)} />
        ))}
      </tbody>
    </table>
  )
}

/** Lists the API keys of an account, makes new ones and revokes them. */
export function Page({ account }: PageProps) {
  const path = `/console/accounts/${account.tenant_id}/keys`
  const { value, error, again } = useReading(path, () => readAll<ApiKey>(path, 'keys'))
  const making = useSignal(false)
  const made = useSignal<NewApiKey | null>(null)
  const revoking = useSignal<ApiKey | null>(null)
  const revoke = async () => {
    const { id, name } = revoking.value!
    await call(`${path}/${id}`, { method: 'DELETE' })
    revoking.value = null
    await again()
    tell(`“${name}” is revoked.`)
  }
  return (
    <div class="page">
      <header>
        <h1>API keys</h1>
        <Button kind="primary" onPress={() => (making.value = true)}>
          Create key
        </Button>
      </header>
      <p class="soft">
        Agents and other programs use these keys to access <strong>{account.name}</strong>. A key without
        “send” writes drafts, and you approve each one before it is sent.
      </p>
      {made.value && <Shown made={made.value} onClose={() => (made.value = null)} />}
      {error.value ? (
        <Failed error={error.value} again={again} />
      ) : value.value ? (
        <Keys
          account={account}
          keys={value.value.filter(({ revoked_at }) => revoked_at === null)}
          onRevoke={(key) => (revoking.value = key)}
        />
      ) : (
        <Loading />
      )}
      {making.value && (
        <NewKey
          account={account}
          onClose={() => (making.value = false)}
          onMade={async (key) => {
            making.value = false
            made.value = key
            await again()
          }}
        />
      )}
      {revoking.value && (
        <Revoke apiKey={revoking.value} onRevoke={revoke} onClose={() => (revoking.value = null)} />
      )}
    </div>
  )
}
