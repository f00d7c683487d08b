import { compileErrors, validate } from '@readme/openapi-parser'
import { Validator } from '@seriousme/openapi-schema-validator'

/** What two validators find wrong with a document; none when it is valid for both. They are given copies: they change them. */
export async function documentProblems(document: object): Promise<string[]> {
  const text = JSON.stringify(document)
  const first = await new Validator().validate(JSON.parse(text) as Parameters<Validator['validate']>[0]) // it finds out
  const second = await validate(JSON.parse(text) as Parameters<typeof validate>[0]) // it finds out
  return [
    ...(first.valid ? [] : [`@seriousme/openapi-schema-validator: ${JSON.stringify(first.errors)}`]),
    ...(second.valid ? [] : [`@readme/openapi-parser: ${compileErrors(second)}`])
  ]
}
