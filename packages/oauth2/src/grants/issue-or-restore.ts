import type { Issued } from '../tokens/issue-token.ts'

/**
 * Makes tokens for a code or refresh token that was used up just now, and gives that back where they cannot be made:
 * whoever asks again is no thief.
 */
export async function issueOrRestore(
  issue: () => Promise<Issued>,
  { giveBack }: { readonly giveBack: () => Promise<unknown> }
): Promise<Issued> {
  try {
    return await issue()
  } catch (error) {
    // Where the store fails again it stays used up. The first error says why.
    await Promise.allSettled([giveBack()])
    throw error
  }
}
