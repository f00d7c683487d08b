import { DefinitionError } from '@modelwire/core'

/** There is no API that a document could describe. */
export class ApiNotMounted extends DefinitionError {
  override readonly code = 'API_NOT_MOUNTED'
}
