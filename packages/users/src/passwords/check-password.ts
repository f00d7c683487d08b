import { InvalidPassword, PasswordTooLong } from '../errors.ts'

const longest = 72

/** Whether bcrypt would cut a text off, and take others for the same that begin alike. */
export const isCutOff = (password: string): boolean => Buffer.byteLength(password, 'utf8') > longest

/**
 * Refuses what cannot be a password.
 * @throws {InvalidPassword} it is empty or no text
 * @throws {PasswordTooLong} it has more than 72 bytes
 * @see LoopBack 3: loopback, common/models/user.js, validatePassword
 */
export function checkPassword(password: unknown): asserts password is string {
  if (typeof password !== 'string' || password === '')
    throw new InvalidPassword('the password must be a non-empty string')
  const length = Buffer.byteLength(password, 'utf8')
  if (length > longest) throw new PasswordTooLong(`the password may have at most ${longest} bytes, not ${length}`)
}
