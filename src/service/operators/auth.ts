import { loadLater } from '../base/load-later'
import type { OutboundPorts } from '../outbound/delivery/ports'
import type { Attempts } from './attempts'

const loadLibrary = loadLater(() =>
  Promise.all([import('better-auth'), import('better-auth/plugins/magic-link')]),
)

/** Path of the sign-in endpoints, as the console calls them. */
export const authPath = '/console/auth'
/** Header with the client address, which only this service sets on requests to the library. */
export const addressHeader = 'x-restante-client'
export const cookiePrefix = 'restante'

const sessionSeconds = 7 * 24 * 3600
const linkSeconds = 10 * 60

/** Ports that sign-in needs. */
export type AuthPorts = Pick<OutboundPorts, 'store' | 'secrets' | 'clock' | 'logger'> & {
  readonly settings: { readonly consoleUrl: string }
}

interface AuthOptions {
  ports: AuthPorts
  attempts: Attempts
  /** Sends the secret of a link, for sign-in or a new password, to the owner of the address. */
  sendMail(what: 'link' | 'reset', email: string, token: string): Promise<void>
}

const times = { createdAt: 'created_at', updatedAt: 'updated_at' }

/** Table and column names for the library; the migrations of this service create them. */
const tables = {
  user: { modelName: 'operators', fields: { emailVerified: 'email_verified', ...times } },
  session: {
    modelName: 'operator_sessions',
    fields: {
      userId: 'operator_id',
      expiresAt: 'expires_at',
      ipAddress: 'ip_address',
      userAgent: 'user_agent',
      ...times,
    },
    expiresIn: sessionSeconds,
  },
  account: {
    modelName: 'operator_credentials',
    fields: {
      userId: 'operator_id',
      accountId: 'subject',
      providerId: 'provider_id',
      password: 'password_hash',
      accessToken: 'access_token',
      refreshToken: 'refresh_token',
      idToken: 'id_token',
      accessTokenExpiresAt: 'access_token_expires_at',
      refreshTokenExpiresAt: 'refresh_token_expires_at',
      ...times,
    },
  },
  verification: {
    modelName: 'operator_proofs',
    fields: { expiresAt: 'expires_at', ...times },
    storeIdentifier: 'hashed' as const,
  },
}

/**
 * Marks an address as verified, since only its owner can read the email. Otherwise the first sign-in by link
 * would delete the password that they just set.
 */
async function proveAddress({ store }: AuthPorts, operatorId: string): Promise<void> {
  await store.write((tx) =>
    tx.updateTable('operators').set({ email_verified: 1 }).where('id', '=', operatorId).execute(),
  )
}

/** Requests of one address: `max` within `window` seconds. */
const rateRules = {
  '/sign-up/email': { window: 600, max: 10 },
  '/sign-in/email': { window: 60, max: 10 },
  '/sign-in/magic-link': { window: 600, max: 10 },
  '/magic-link/verify': { window: 60, max: 10 },
  '/request-password-reset': { window: 600, max: 10 },
  '/reset-password': { window: 60, max: 10 },
  '/get-session': false,
} as const

/**
 * Opens better-auth, which signs humans in, on the service's own database. It is loaded with the first
 * operator, so services without one never load it.
 */
export async function openAuth({ ports, attempts, sendMail }: AuthOptions) {
  const [{ betterAuth }, { magicLink }] = await loadLibrary()
  const { origin } = new URL(ports.settings.consoleUrl)
  const auth = betterAuth({
    baseURL: origin,
    basePath: authPath,
    secret: ports.secrets.derive(ports.secrets.currentId, 'operator sessions', 'v1')!,
    // The library's name for a schema with text times and numeric flags, as all our tables have.
    database: { db: ports.store.db, type: 'sqlite' },
    ...tables,
    emailAndPassword: {
      enabled: true,
      minPasswordLength: 10,
      resetPasswordTokenExpiresIn: linkSeconds,
      // Anyone who knew the old password is signed out.
      revokeSessionsOnPasswordReset: true,
      sendResetPassword: ({ user, token }) => sendMail('reset', user.email, token),
      onPasswordReset: ({ user }) => proveAddress(ports, user.id),
    },
    plugins: [
      magicLink({
        storeToken: 'hashed',
        expiresIn: linkSeconds,
        sendMagicLink: ({ email, token }) => sendMail('link', email, token),
      }),
    ],
    rateLimit: {
      enabled: true,
      customRules: rateRules,
      customStorage: {
        consume: async (key, rule) => {
          const retryAfter = attempts.consume(key, rule)
          return { allowed: retryAfter === null, retryAfter }
        },
      },
    },
    advanced: {
      cookiePrefix,
      useSecureCookies: origin.startsWith('https:'),
      ipAddress: { ipAddressHeaders: [addressHeader] },
      database: { validateSchema: false },
    },
    telemetry: { enabled: false },
    // The library would print caught errors; thrown ones are logged like any failed request.
    onAPIError: { throw: true },
    logger: {
      // The further arguments may hold an address or a cookie, so they are left out.
      log: (level, message) => {
        if (level === 'error') ports.logger.warn({ library: 'better-auth' }, message)
      },
    },
  })
  // The library keeps this promise, including a failure.
  await auth.$context
  return auth
}

export type Auth = Awaited<ReturnType<typeof openAuth>>
