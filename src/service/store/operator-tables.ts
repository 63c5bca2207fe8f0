/** The tables of the humans who sign in at the console: directories all of them, by the hash or id that one has. */
export interface OperatorTables {
  /** Humans. This and the next three are written by the library that signs them in. */
  operators: OperatorTable
  operator_sessions: OperatorSessionTable
  operator_credentials: OperatorCredentialTable
  /** What was sent to an address to prove that it is theirs, as a hash. */
  operator_proofs: OperatorProofTable
  /** Which accounts an operator has claimed. */
  account_operators: AccountOperatorTable
}

export interface OperatorTable {
  id: string
  name: string
  email: string
  email_verified: number
  image: string | null
  created_at: string
  updated_at: string
}

export interface OperatorSessionTable {
  id: string
  token: string
  operator_id: string
  ip_address: string | null
  user_agent: string | null
  expires_at: string
  created_at: string
  updated_at: string
}

export interface OperatorCredentialTable {
  id: string
  operator_id: string
  provider_id: string
  subject: string
  password_hash: string | null
  access_token: string | null
  refresh_token: string | null
  id_token: string | null
  access_token_expires_at: string | null
  refresh_token_expires_at: string | null
  scope: string | null
  created_at: string
  updated_at: string
}

export interface OperatorProofTable {
  id: string
  identifier: string
  value: string
  expires_at: string
  created_at: string
  updated_at: string
}

export interface AccountOperatorTable {
  operator_id: string
  tenant_id: string
  created_at: string
}
