import { DefinitionError } from '@modelwire/core'

/** The explorer has no API to describe: register `rest` before `explorer`, or correct its option `api`. */
export class ApiNotMounted extends DefinitionError.with({ code: 'API_NOT_MOUNTED' }) {}
