export { acl, acl as default } from './plugin.ts'
export { AclOptionsSchema, type AclOptions, type AclSettings } from './options.ts'
export { defineAccessModels, prepareAcl, type PreparedAcl } from './install-acl.ts'
export type { Access } from './access/access.ts'
export type { CallerLine, ReportLine, FieldsLine, RowsLine, RuleLine } from './report/report.ts'
export type { AccessAnswer, AccessQuestion, NamedPrincipal } from './access/access-question.ts'
export type { RoleContext, RoleResolver } from './roles/role-context.ts'
export { type FoundProblem, pathOf, problemsOfRules, type RuleChecking } from './check/check-rules.ts'
export { problemText } from './check/refuse-rules.ts'
export type { RuleProblem } from './check/rule-problem.ts'
export { normalRule } from './rules/normal-rule.ts'
export { sameId } from './identity/same-id.ts'
export { warnAboutWeakenedAccess } from './warn-about-weakened-access.ts'
export { accessModels } from './models/definitions.ts'
export {
  AccessDenied,
  AuthorizationRequired,
  FilterDenied,
  IncludeDenied,
  InvalidAccessRule,
  PropertyDenied,
  RowsFailed,
  UnknownOperation
} from './errors.ts'
