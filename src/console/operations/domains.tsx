import type { Domain, DomainRecord } from '../../protocol/records'
import { call, fullTime, tell } from '../core'
import { Button, Copy } from '../parts'
import { Detail, None, OpenRow, Section } from './section'

const purposes: Record<string, string> = {
  ownership: 'shows that it is yours',
  dkim: 'signs its mail (DKIM)',
  dkim_next: 'signs its mail from the next key on (DKIM)',
  receiving: 'brings its mail here (MX)',
  return_path: 'brings bounces here',
  dmarc: 'says what becomes of forgeries (DMARC)',
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
        {!required && <span class="faint small">not needed to begin</span>}
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
    tell(now === 'verified' ? `${hostname} is verified.` : `${hostname} was looked at: ${now}.`)
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
            {checked_at === null ? 'not looked at yet' : `looked at ${fullTime(checked_at)}`}
          </span>
          <span class={`tag ${kind}`}>{status}</span>
        </>
      }
    >
      {() => (
        <Detail label={`The records of ${hostname}`}>
          <div class="row">
            <Button kind="primary" onPress={look}>
              Look at the DNS now
            </Button>
            <span class="small faint">
              {checked_at === null ? 'It was not looked at yet.' : `Last looked at ${fullTime(checked_at)}.`}
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
    <Section title="Domains" about="of the account's own">
      {domains.length === 0 ? (
        <None>Mail goes out from the domain of this service.</None>
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
