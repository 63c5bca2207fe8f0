import { hrefOf } from '../core/location'
import { online } from '../core/notices'
import { shortTime } from '../core/times'
import { readWaiting } from '../core/waiting'
import { Button } from '../parts/button'
import { Icon } from '../parts/icon'
import { type PageProps, useReading } from '../parts/reading'
import { Failed, Loading } from '../parts/states'
import { AccountState } from './account-state'
import { Connections } from './connections'
import { Consumers } from './consumers'
import { Domains } from './domains'
import { readOverview, type Standstill, standstillsOf } from './overview'
import { Suppressions } from './suppressions'
import { Webhooks } from './webhooks'

function Standstills({ all, accountId }: { all: Standstill[]; accountId: string }) {
  if (all.length === 0)
    return (
      <p class="note good row">
        <Icon name="check" /> No problems found.
      </p>
    )
  return (
    <ul class="standstills" aria-label="Problems">
      {all.map(({ kind, text, at }) => (
        <li key={text} class={kind}>
          <Icon name="warn" />
          {Object.keys(at).length > 0 ? (
            <a href={hrefOf('/operations', { account: accountId, ...at })}>{text}</a>
          ) : (
            <span>{text}</span>
          )}
        </li>
      ))}
    </ul>
  )
}

/** Lists the problems of an account, and the actions that solve each. */
export function Page({ account }: PageProps) {
  const id = account.tenant_id
  const { value, error, again } = useReading(id, () => readOverview(id))
  if (error.value) return <Failed error={error.value} again={again} />
  const found = value.value
  if (!found) return <Loading />
  return (
    <div class="page operations">
      <header>
        <h1>Problems</h1>
        <div class="row">
          <span class="faint small">as of {shortTime(found.readAt)}</span>
          <Button
            disabled={!online.value}
            onPress={async () => {
              await Promise.all([again(), readWaiting(id)])
            }}
          >
            Refresh
          </Button>
        </div>
      </header>
      <Standstills all={standstillsOf(found)} accountId={id} />
      <Consumers account={found.account} consumers={found.consumers} onChanged={again} />
      <Webhooks accountId={id} webhooks={found.webhooks} onChanged={again} />
      <Connections accountId={id} connections={found.connections} onChanged={again} />
      <Domains accountId={id} domains={found.domains} onChanged={again} />
      <Suppressions accountId={id} readAt={found.readAt} />
      <AccountState account={found.account} />
    </div>
  )
}
