import type { Candidate, Lease } from '@modelwire/changes'
import type { KV } from '@nats-io/kv'

/** The key of the lease in its bucket, whose keys live as long as a lease. */
const key = 'holder'

const holderOf = ({ token, version }: Candidate): string => `${token} ${version}`

/** Takes or renews a lease, and gives it as it is. Fails as a conflict where another process takes it at the same time. */
export async function takeLease(leases: KV, candidate: Candidate): Promise<Lease> {
  const own = holderOf(candidate)
  const found = await leases.get(key)
  const holder = found?.operation === 'PUT' ? found.string() : own
  if (holder !== own) return { isMine: false, version: holder.split(' ')[1] ?? '' }
  await leases.put(key, own, { previousSeq: found?.revision ?? 0 })
  return { isMine: true, version: candidate.version }
}

/** Ends a lease that is the candidate's. */
export async function giveLeaseBack(leases: KV, candidate: Candidate): Promise<void> {
  const found = await leases.get(key)
  if (found?.operation === 'PUT' && found.string() === holderOf(candidate))
    await leases.delete(key, { previousSeq: found.revision })
}
