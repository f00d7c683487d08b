/** Success. */
export const succeeded = 0
/** The command ran and found a problem, or failed. */
export const failed = 1
/** The command line is invalid, or something that the command requires is missing. */
export const misused = 2
