import { BadRequest } from '../errors.ts'

/** A text from outside is not well-formed Unicode: it has half of a surrogate pair, or bytes that are not UTF-8. */
export class MalformedText extends BadRequest {
  override readonly code = 'TEXT_NOT_WELL_FORMED'
  override readonly hidesCode = false
}
