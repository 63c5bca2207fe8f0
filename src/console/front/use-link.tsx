import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { sign } from '../core/ask'
import { tell } from '../core/notices'
import { opened } from '../core/secrets'
import { begin, enter } from '../core/session'
import { Button, Form } from '../parts/button'
import { Loading } from '../parts/states'
import { Frame } from './frame'
import { PasswordField, text } from './sign-in'

/**
 * True on the machine of the service, where the operator opened the printed link and no scanner saw it first.
 */
const isOwnMachine = /^(localhost|127\.0\.0\.1|\[::1\])$/.test(location.hostname)

async function enterBy(token: string): Promise<void> {
  await sign('use-link', { token })
  await enter()
  opened.value = null
}

function SignInByLink({ token }: { token: string }) {
  const wrong = useSignal('')
  const use = () =>
    enterBy(token).catch((error: Error) => {
      wrong.value = error.message
    })
  useEffect(() => {
    if (isOwnMachine) void use()
  }, [])
  if (wrong.value)
    return (
      <Frame title="This link no longer works">
        <p>{wrong.value}</p>
        <Button kind="primary" onPress={() => (opened.value = null)}>
          Sign in another way
        </Button>
      </Frame>
    )
  if (isOwnMachine) return <Loading what="Signing in" />
  // A link scanner must not use this link up, so a person has to press the button.
  return (
    <Frame title="Sign in">
      <p>You opened the link from your email.</p>
      <div class="row">
        <Button kind="primary" onPress={use}>
          Sign in
        </Button>
        <Button kind="quiet" onPress={() => (opened.value = null)}>
          Not now
        </Button>
      </div>
    </Frame>
  )
}

/** Handles an emailed link, which signs in or sets a new password. */
export function UseLink({ kind, token }: { kind: 'link' | 'reset'; token: string }) {
  if (kind === 'link') return <SignInByLink token={token} />
  return (
    <Frame title="Set a new password">
      <Form
        submit="Set password"
        more={
          <Button kind="quiet" onPress={() => (opened.value = null)}>
            Not now
          </Button>
        }
        onSubmit={async (data) => {
          await sign('reset-password', { token, password: text(data, 'password') })
          await begin()
          opened.value = null
          tell('Password changed, and all other sessions ended. Sign in with the new password.')
        }}
      >
        <PasswordField fresh />
      </Form>
    </Frame>
  )
}
