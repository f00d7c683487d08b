import type { Issued } from '../tokens/issue-token.ts'

/**
 * Makes tokens for a code or refresh token that was used up just now, and gives that back where they cannot be made:
 * the caller again is not an attacker.
 */
export async function issueOrRestore(
  issue: () => Promise<Issued>,
  { giveBack }: { readonly giveBack: () => Promise<unknown> }
): Promise<Issued> {
  try {
    return await issue()
  } catch (error) {
    // Where the store fails again it stays used up. The first error has the reason.
    await Promise.allSettled([giveBack()])
    throw error
  }
}
