import type { Domain, DomainRecord } from '../../protocol/records/domain'
import { call } from '../core/ask'
import { tell } from '../core/notices'
import { fullTime } from '../core/times'
import { Button } from '../parts/button'
import { Detail, None, OpenRow, Section } from './section'

/** Copies a text to the clipboard. */
function Copy({ text, what }: { text: string; what: string }) {
  const copy = async () => {
    await navigator.clipboard.writeText(text)
    tell('Copied.')
  }
  return (
    <Button kind="quiet" onPress={copy} label={`Copy ${what}`}>
      Copy
    </Button>
  )
}

const purposes: Record<string, string> = {
  ownership: 'proves that you own the domain',
  dkim: 'signs its email (DKIM)',
  dkim_next: 'signs its email with the next key (DKIM)',
  receiving: 'routes its email here (MX)',
  return_path: 'routes bounces here',
  dmarc: 'tells receivers what to do with forged email (DMARC)',
}
const kinds: Record<string, string> = { ok: 'good', missing: 'warn', wrong: 'wrong' }

function RecordView({ record, isChecked }: { record: DomainRecord; isChecked: boolean }) {
  const { type, name, value, purpose, required, status, found, hint } = record
  return (
    <li class="record">
      <p class="row">
        <strong>{type}</strong>
        <span class={`tag ${isChecked ? (kinds[status] ?? '') : ''}`}>
          {isChecked ? status : 'to publish'}
        </span>
        <span class="soft">{purposes[purpose] ?? purpose}</span>
        {!required && <span class="faint small">optional at first</span>}
      </p>
      <div class="copied">
        <code>{name}</code>
        <Copy text={name} what={`the name of the ${purpose} record`} />
        <code>{value}</code>
        <Copy text={value} what={`the value of the ${purpose} record`} />
      </div>
      {isChecked && status !== 'ok' && hint !== null && <p class="small soft">{hint}</p>}
      {status !== 'ok' && found.length > 0 && (
        <p class="small soft">
          The DNS has: <code>{found.join(' · ')}</code>
        </p>
      )}
    </li>
  )
}

interface RowProps {
  accountId: string
  domain: Domain
  onChanged: () => Promise<void>
}

function Row({ accountId, domain, onChanged }: RowProps) {
  const { id, hostname, status, checked_at, records } = domain
  const look = async (key: string) => {
    const { status: now } = await call<Domain>(`/domains/${id}/verify`, {
      method: 'POST',
      account: accountId,
      key,
    })
    await onChanged()
    tell(now === 'verified' ? `${hostname} is verified.` : `${hostname} checked: ${now}.`)
  }
  const kind = { verified: 'good', failing: 'wrong' }[status as string] ?? 'warn'
  return (
    <OpenRow
      parameter="domain"
      id={id}
      line={
        <>
          <span class="cut">{hostname}</span>
          <span class="cut small faint wide">
            {checked_at === null ? 'not checked yet' : `checked ${fullTime(checked_at)}`}
          </span>
          <span class={`tag ${kind}`}>{status}</span>
        </>
      }
    >
      {() => (
        <Detail label={`DNS records of ${hostname}`}>
          <div class="row">
            <Button kind="primary" onPress={look}>
              Check DNS now
            </Button>
            <span class="small faint">
              {checked_at === null ? 'Not checked yet.' : `Last checked ${fullTime(checked_at)}.`}
            </span>
          </div>
          <ul class="stack">
            {records.map((record) => (
              <RecordView
                key={`${record.purpose} ${record.name}`}
                record={record}
                isChecked={checked_at !== null}
              />
            ))}
          </ul>
        </Detail>
      )}
    </OpenRow>
  )
}

interface DomainsProps {
  accountId: string
  domains: Domain[]
  onChanged: () => Promise<void>
}

/** Lists the domains of the account, with the records to publish and those found in the DNS. */
export function Domains({ accountId, domains, onChanged }: DomainsProps) {
  return (
    <Section title="Domains" about="your own domains">
      {domains.length === 0 ? (
        <None>
          No domains yet, so email is sent from the domain of this service. Add one with{' '}
          <code>restante domains add</code>.
        </None>
      ) : (
        <ul class="things">
          {domains.map((domain) => (
            <Row key={domain.id} accountId={accountId} domain={domain} onChanged={onChanged} />
          ))}
        </ul>
      )}
    </Section>
  )
}
