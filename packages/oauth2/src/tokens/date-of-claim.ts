const most = 8.64e15

/** The time of a claim in seconds since 1970. One that no date can hold is the first or last that a date can. */
export function dateOfClaim(seconds: number): Date {
  return new Date(Math.max(-most, Math.min(seconds * 1000, most)))
}
