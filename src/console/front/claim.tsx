import { useSignal } from '@preact/signals'
import type { ClaimAnswer, ClaimPreview } from '../../protocol/records/console'
import { call, type Refused, sign } from '../core/ask'
import { go, hrefOf, isCaptured } from '../core/location'
import { tell, tellError } from '../core/notices'
import { forgetClaim } from '../core/secrets'
import { begin, operator, readAccounts, rememberAccount } from '../core/session'
import { fullTime } from '../core/times'
import { Button } from '../parts/button'
import { useReading } from '../parts/reading'
import { Loading } from '../parts/states'
import { Frame } from './frame'

const titles: Record<string, string> = {
  claim_link_used: 'Somebody else has claimed this account',
  claim_link_expired: 'This link has expired',
  account_expired: 'The account has expired',
  claim_link_unknown: 'This link is unknown',
  network: 'The service cannot be reached',
}

function WrongLink({ error, again }: { error: Refused; again: () => Promise<void> }) {
  return (
    <Frame title={titles[error.code] ?? 'This link cannot be used'}>
      <p role="alert">{error.message}</p>
      <div class="row">
        {error.code in titles && error.code !== 'network' ? null : <Button onPress={again}>Try again</Button>}
        <Button kind="primary" onPress={forgetClaim}>
          Go to your accounts
        </Button>
      </div>
    </Frame>
  )
}

function Claimed({ name, addresses }: ClaimPreview) {
  return (
    <Frame title="Account claimed">
      <p>
        <strong>{name}</strong> can now send email and no longer expires. Next steps:
      </p>
      <ul class="stack">
        <li>
          <strong>Tell your agent.</strong> It keeps its address, <code>{addresses.join(', ')}</code>, and its
          key, so nothing changes for it.
        </li>
        <li>
          <strong>Give it a key that asks you first.</strong> A key without “send” writes drafts, which wait
          for your approval.
        </li>
      </ul>
      <div class="row">
        <Button kind="primary" onPress={() => leaveTo('/')}>
          Open its inbox
        </Button>
        <Button onPress={() => leaveTo('/keys')}>API keys</Button>
      </div>
    </Frame>
  )
}

/** Explains why the claim has to wait and how the operator verifies the address. */
function Unverified({
  verification,
  claim_expires_at,
  again,
}: ClaimPreview & { again: () => Promise<void> }) {
  const email = operator.value?.email ?? ''
  const check = async () => {
    await begin()
    await again()
  }
  if (verification === 'own_address')
    return (
      <div class="note warn stack" role="note">
        <p>
          This service receives the email of <strong>{email}</strong>, so an agent could read it. Sign out,
          and sign in with an address at another provider.
        </p>
      </div>
    )
  if (isCaptured)
    return (
      <div class="note warn stack" role="note">
        <p>
          Your address <strong>{email}</strong> is not verified, and this service sends no email outside. Ask
          its administrator to run <code>restante admin verify-operator {email}</code> before{' '}
          {fullTime(claim_expires_at)}.
        </p>
        <Button onPress={check}>Check again</Button>
      </div>
    )
  return (
    <div class="note warn stack" role="note">
      <p>
        Your address <strong>{email}</strong> is not verified yet. Open the link that we send you in this
        browser, then come back to this page before {fullTime(claim_expires_at)}.
      </p>
      <div class="row">
        <Button
          onPress={async () => {
            await sign('send-link', { email })
            tell('A link is on its way. Open it in this browser within 10 minutes.')
          }}
        >
          Send me a link
        </Button>
        <Button onPress={check}>Check again</Button>
      </div>
    </div>
  )
}

function leaveTo(page: string): void {
  go(hrefOf(page))
  forgetClaim()
}

function Previewed(preview: ClaimPreview) {
  return (
    <div class="card stack">
      <h2>{preview.name}</h2>
      {preview.addresses.map((address) => (
        <code key={address}>{address}</code>
      ))}
      <p>
        {preview.received_messages === 0
          ? 'No messages received yet.'
          : preview.received_messages === 1
            ? 'One message received so far.'
            : `${preview.received_messages} messages received so far.`}
      </p>
      <p class="small faint">
        An agent created it on {fullTime(preview.created_at)}. This link works until{' '}
        {fullTime(preview.claim_expires_at)}.
      </p>
    </div>
  )
}

/** Handles a claim link: shows the account, then claims it. */
export function Claim({ token }: { token: string }) {
  const { value, error, again } = useReading(`${token} ${operator.value?.id}`, () =>
    call<ClaimPreview>('/console/claim/preview', { method: 'POST', body: { token } }),
  )
  const isDone = useSignal(false)
  if (error.value) return <WrongLink error={error.value as Refused} again={again} />
  const preview = value.value
  if (!preview) return <Loading />
  if (isDone.value) return <Claimed {...preview} />
  const claim = async () => {
    const { account } = await call<ClaimAnswer>('/console/claim', { method: 'POST', body: { token } })
    rememberAccount(account.tenant_id)
    await readAccounts().catch(tellError)
    isDone.value = true
  }
  if (preview.claimed)
    return (
      <Frame title="This account is yours already">
        <p>
          You claimed <strong>{preview.name}</strong> before.
        </p>
        <Button kind="primary" onPress={() => leaveTo('/')}>
          Open it
        </Button>
      </Frame>
    )
  return (
    <Frame title="Claim this account">
      <Previewed {...preview} />
      <ul class="points">
        <li>It becomes yours: you can read its messages, and create and revoke its keys.</li>
        <li>The agent keeps its address and key. From now on it can send email in your name.</li>
        <li>It no longer expires, and its limit on received messages ends.</li>
      </ul>
      <p class="note warn">
        Claim it only if you know this agent. If you did not expect this, close the page: the account then
        expires.
      </p>
      {preview.verification !== 'verified' && <Unverified {...preview} again={again} />}
      <div class="row">
        <Button kind="primary" onPress={claim} disabled={preview.verification !== 'verified'}>
          Claim this account
        </Button>
        <Button kind="quiet" onPress={forgetClaim}>
          Not now
        </Button>
      </div>
      {!operator.value?.email.endsWith('.invalid') && (
        <p class="small faint">You are signed in as {operator.value?.email}.</p>
      )}
    </Frame>
  )
}
