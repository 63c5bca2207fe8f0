import { loadLater } from '../base'
import type { OutboundPorts } from '../outbound/delivery'
import type { Attempts } from './attempts'

const loadLibrary = loadLater(() =>
  Promise.all([import('better-auth'), import('better-auth/plugins/magic-link')]),
)

/** The path at which the pages of the console find it. */
export const authPath = '/console/auth'
/** Set by this service on what it hands to the library, and by nobody else. */
export const addressHeader = 'x-restante-client'
export const cookiePrefix = 'restante'

const sessionSeconds = 7 * 24 * 3600
const linkSeconds = 10 * 60

interface AuthOptions {
  ports: OutboundPorts
  attempts: Attempts
  /** Brings the secret of a link, to sign in or to set a new password, to the owner of the address. */
  sendMail(what: 'link' | 'reset', email: string, token: string): Promise<void>
}

const times = { createdAt: 'created_at', updatedAt: 'updated_at' }

/** The library's tables by our names; the migrations of this service make them. */
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
 * Marks an address as proven, since only its owner has the mail: else their first sign-in by link would end the
 * password that they just set.
 */
async function proveAddress({ store }: OutboundPorts, operatorId: string): Promise<void> {
  await store.write((tx) =>
    tx.updateTable('operators').set({ email_verified: 1 }).where('id', '=', operatorId).execute(),
  )
}

/**
 * Opens the library that signs humans in, better-auth, on the service's own database. It is loaded with the
 * first operator: an agent's service never pays for it.
 */
export async function openAuth({ ports, attempts, sendMail }: AuthOptions) {
  const [{ betterAuth }, { magicLink }] = await loadLibrary()
  const { origin } = new URL(ports.settings.consoleUrl)
  const auth = betterAuth({
    baseURL: origin,
    basePath: authPath,
    secret: ports.secrets.derive(ports.secrets.currentId, 'operator sessions', 'v1')!,
    // Texts for times and numbers for flags, as all tables have them, are what it calls sqlite.
    database: { db: ports.store.db, type: 'sqlite' },
    ...tables,
    emailAndPassword: {
      enabled: true,
      minPasswordLength: 10,
      resetPasswordTokenExpiresIn: linkSeconds,
      // Whoever had the old password is out.
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
      customRules: {
        '/sign-up/email': { window: 600, max: 10 },
        '/sign-in/email': { window: 60, max: 10 },
        '/sign-in/magic-link': { window: 600, max: 10 },
        '/magic-link/verify': { window: 60, max: 10 },
        '/request-password-reset': { window: 600, max: 10 },
        '/reset-password': { window: 60, max: 10 },
        '/get-session': false,
      },
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
    // It prints what it catches: thrown, it is logged as any other failure of a request.
    onAPIError: { throw: true },
    logger: {
      // What goes with a message may be an address or a cookie: it is left out.
      log: (level, message) => {
        if (level === 'error') ports.logger.warn({ library: 'better-auth' }, message)
      },
    },
  })
  // It keeps whatever comes of this, a failure too.
  await auth.$context
  return auth
}

export type Auth = Awaited<ReturnType<typeof openAuth>>
