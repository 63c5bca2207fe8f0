import { useSignal } from '@preact/signals'
import { sign } from '../core/ask'
import { signUpByLink } from '../core/location'
import { claimToken } from '../core/secrets'
import { enter } from '../core/session'
import { Button, Field, Form } from '../parts/button'
import { Frame } from './frame'

export const text = (data: FormData, name: string): string => String(data.get(name) ?? '')

function EmailField() {
  return (
    <Field label="Email">
      <input name="email" type="email" autocomplete="email" maxLength={254} required />
    </Field>
  )
}

export function PasswordField({ fresh }: { fresh: boolean }) {
  return (
    <Field label="Password" {...(fresh && { hint: 'At least 10 characters' })}>
      <input
        name="password"
        type="password"
        autocomplete={fresh ? 'new-password' : 'current-password'}
        minLength={fresh ? 10 : 1}
        maxLength={128}
        required
      />
    </Field>
  )
}

type Way = 'sign-in' | 'sign-up' | 'link' | 'forgotten'

const titles: Record<Way, string> = {
  'sign-in': 'Sign in',
  'sign-up': 'Create your login',
  link: 'Sign in with a link',
  forgotten: 'Set a new password',
}

const linkLeads: Record<'sign-up' | 'link' | 'forgotten', string> = {
  'sign-up':
    'We send a link to your address. It verifies the address and creates your login. You need no password.',
  link: 'We send a link to your address. It signs you in without a password.',
  forgotten: 'We send a link to your address. Open it to set a new password. All sessions end then.',
}

function ByMail({ way, back }: { way: 'sign-up' | 'link' | 'forgotten'; back: () => void }) {
  const sent = useSignal('')
  if (sent.value)
    return (
      <>
        <p>
          A link is on its way to <strong>{sent.value}</strong>. Open it in this browser within 10 minutes.
        </p>
        {claimToken.value !== null && (
          <p class="soft">Keep this page open. It continues with the account when you are signed in.</p>
        )}
        <div class="row">
          <Button onPress={() => (sent.value = '')}>Send it again</Button>
          <Button kind="quiet" onPress={back}>
            Back
          </Button>
        </div>
      </>
    )
  return (
    <>
      {claimToken.value !== null && <Claiming what={way === 'sign-up' ? 'create a login' : 'sign in'} />}
      <p class="soft">{linkLeads[way]}</p>
      <Form
        submit="Send me a link"
        more={
          <Button kind="quiet" onPress={back}>
            Back
          </Button>
        }
        onSubmit={async (data) => {
          const email = text(data, 'email')
          await sign(way === 'forgotten' ? 'send-reset' : 'send-link', { email })
          sent.value = email
        }}
      >
        <EmailField />
      </Form>
    </>
  )
}

function Claiming({ what }: { what: string }) {
  return (
    <p class="note good">
      An AI agent created an email account here and asks you to claim it. To claim it, first {what}.
    </p>
  )
}

/** Shows the sign-in page, for people with a login and for newcomers. */
export function SignIn() {
  const way = useSignal<Way>(claimToken.value === null ? 'sign-in' : 'sign-up')
  const fresh = way.value === 'sign-up'
  if (way.value === 'link' || way.value === 'forgotten' || (fresh && signUpByLink))
    return (
      <Frame title={titles[way.value]}>
        <ByMail
          key={way.value}
          way={way.value as 'sign-up' | 'link' | 'forgotten'}
          back={() => (way.value = 'sign-in')}
        />
      </Frame>
    )
  return (
    <Frame title={titles[way.value]}>
      {claimToken.value !== null && <Claiming what={fresh ? 'create a login' : 'sign in'} />}
      <Form
        key={way.value}
        submit={fresh ? 'Create login' : 'Sign in'}
        more={
          !fresh && (
            <Button kind="quiet" onPress={() => (way.value = 'forgotten')}>
              Forgot your password?
            </Button>
          )
        }
        onSubmit={async (data) => {
          await sign(way.value, { email: text(data, 'email'), password: text(data, 'password') })
          await enter()
        }}
      >
        <EmailField />
        <PasswordField fresh={fresh} />
      </Form>
      <p class="or">or</p>
      <div class="stack">
        {!fresh && <Button onPress={() => (way.value = 'link')}>Send me a link instead</Button>}
        <Button onPress={() => (way.value = fresh ? 'sign-in' : 'sign-up')}>
          {fresh ? 'I have a login: sign in' : 'I am new: create a login'}
        </Button>
      </div>
      <p class="small faint">
        An agent needs no login: it signs up by itself, as <a href="/llms.txt">llms.txt</a> describes, and
        gives you a link to claim its account. For developers: <a href="/reference">API reference</a>.
      </p>
    </Frame>
  )
}
