import type { Credentials } from './application.ts'

/** Who sends a request. */
export type Persona = 'owner' | 'stranger' | 'anonymous'

/** All of them; those with the fewest rights come first, since they change the least. */
export const personas: readonly Persona[] = ['anonymous', 'stranger', 'owner']

/** What an account is made of; `null` in `account` leaves a property out. */
export function accountOf(persona: Persona, { account = {} }: Credentials): Record<string, unknown> {
  const values = { email: `${persona}@example.com`, username: persona, password: 'Secret-123', ...account }
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null))
}
