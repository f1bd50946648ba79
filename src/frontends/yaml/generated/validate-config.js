// Made from schemas/config.schema.json by npm run generate.
var __getOwnPropNames = Object.getOwnPropertyNames;
var __commonJS = (cb, mod) => function __require() {
  try {
    return mod || (0, cb[__getOwnPropNames(cb)[0]])((mod = { exports: {} }).exports, mod), mod.exports;
  } catch (e) {
    throw mod = 0, e;
  }
};

// node_modules/ajv/dist/runtime/ucs2length.js
var require_ucs2length = __commonJS({
  "node_modules/ajv/dist/runtime/ucs2length.js"(exports) {
    "use strict";
    Object.defineProperty(exports, "__esModule", { value: true });
    function ucs2length(str) {
      const len = str.length;
      let length = 0;
      let pos = 0;
      let value;
      while (pos < len) {
        length++;
        value = str.charCodeAt(pos++);
        if (value >= 55296 && value <= 56319 && pos < len) {
          value = str.charCodeAt(pos);
          if ((value & 64512) === 56320)
            pos++;
        }
      }
      return length;
    }
    exports.default = ucs2length;
    ucs2length.code = 'require("ajv/dist/runtime/ucs2length").default';
  }
});

// <stdin>
var validate = validate20;
var schema31 = { "$schema": "https://json-schema.org/draft/2020-12/schema", "$id": "https://outreach-as-code.example/schemas/config.schema.json", "title": "outreach configuration", "type": "object", "additionalProperties": false, "required": ["version"], "properties": { "version": { "const": 1, "description": "Version of this format: 1." }, "service": { "type": "object", "additionalProperties": false, "description": "The service to manage.", "properties": { "base_url": { "type": "string", "description": "Base address of the service's API. OUTREACH_BASE_URL takes precedence over it.", "examples": ["https://api.example.com/api"] }, "rate_share": { "type": "string", "pattern": "^(100|[1-9][0-9]?)%$", "description": "Share of the service's rate limit to use: 1% to 100%. A smaller share leaves room for other users of the key.", "default": "100%", "examples": ["50%"] }, "api_key": { "$ref": "#/$defs/secret", "description": "Source of the API key.", "default": { "env": "OUTREACH_API_KEY" } } } }, "state": { "type": "object", "additionalProperties": false, "description": "Where to store the state.", "properties": { "backend": { "enum": ["local", "http", "s3", "pg"], "description": "local: A file. http: A server that speaks the protocol of Terraform's http backend, such as GitLab. s3: An object in a bucket of S3, or of a compatible store. pg: A PostgreSQL database.", "default": "local" }, "path": { "type": "string", "minLength": 1, "description": "Path of the file, relative to the configuration.", "default": "outreach.state.json", "examples": ["outreach.${var.stage}.state.json"] }, "address": { "type": "string", "minLength": 1, "description": "Of the backend http. URL of the state: https, or http on this machine. Without it, TF_HTTP_ADDRESS sets it.", "examples": ["https://gitlab.example.com/api/v4/projects/7/terraform/state/production"] }, "lock_address": { "type": "string", "minLength": 1, "description": "Of the backend http. URL that locks the state. Required, unless lock is false. Without it, TF_HTTP_LOCK_ADDRESS sets it.", "examples": ["https://gitlab.example.com/api/v4/projects/7/terraform/state/production/lock"] }, "unlock_address": { "type": "string", "minLength": 1, "description": "Of the backend http. URL that unlocks the state. Default: lock_address. Without it, TF_HTTP_UNLOCK_ADDRESS sets it." }, "lock": { "type": "boolean", "description": "Of the backend http. Whether runs lock the state. Without a lock, two runs at once can create duplicates.", "default": true }, "update_method": { "type": "string", "minLength": 1, "description": "Of the backend http. HTTP method that writes the state. Without it, TF_HTTP_UPDATE_METHOD sets it.", "default": "POST" }, "lock_method": { "type": "string", "minLength": 1, "description": "Of the backend http. HTTP method that locks. GitLab: POST. Without it, TF_HTTP_LOCK_METHOD sets it.", "default": "LOCK" }, "unlock_method": { "type": "string", "minLength": 1, "description": "Of the backend http. HTTP method that unlocks. GitLab: DELETE. Without it, TF_HTTP_UNLOCK_METHOD sets it.", "default": "UNLOCK" }, "username": { "type": "string", "minLength": 1, "description": "Of the backend http. User name for basic authentication. Without it, TF_HTTP_USERNAME sets it." }, "password": { "$ref": "#/$defs/secret", "description": "Of the backend http. Password, or access token, for basic authentication. Without it, TF_HTTP_PASSWORD sets it." }, "headers": { "type": "object", "additionalProperties": { "anyOf": [{ "type": "string" }, { "$ref": "#/$defs/secret" }] }, "description": "Of the backend http. Headers to send with each request, as text or as a secret." }, "retry_max": { "type": "integer", "minimum": 0, "description": "Of the backend http. How often to repeat a request that got no answer, 429, or 5xx other than 501. Without it, TF_HTTP_RETRY_MAX sets it.", "default": 2 }, "retry_wait_min": { "type": "integer", "minimum": 0, "description": "Of the backend http. Seconds before the first repetition. The wait doubles each time. Without it, TF_HTTP_RETRY_WAIT_MIN sets it.", "default": 1 }, "retry_wait_max": { "type": "integer", "minimum": 0, "description": "Of the backend http. Longest wait between repetitions, in seconds. Without it, TF_HTTP_RETRY_WAIT_MAX sets it.", "default": 30 }, "bucket": { "type": "string", "minLength": 1, "description": "Of the backend s3. Name of the bucket. It must exist.", "examples": ["acme-states"] }, "key": { "type": "string", "minLength": 1, "description": "Of the backend s3. Key of the object that holds the state. The lock is another object, KEY.tflock.", "examples": ["crm/production.state.json"] }, "region": { "type": "string", "minLength": 1, "description": "Of the backend s3. Region of the bucket. With an endpoint, the default is us-east-1. Without it, AWS_REGION or AWS_DEFAULT_REGION sets it.", "examples": ["eu-central-1"] }, "endpoint": { "type": "string", "minLength": 1, "description": "Of the backend s3. URL of a compatible store, without the bucket. Default: AWS in that region. Without it, AWS_ENDPOINT_URL_S3 sets it.", "examples": ["https://s3.example.com"] }, "use_path_style": { "type": "boolean", "description": "Of the backend s3. Whether requests go to ENDPOINT/BUCKET/KEY, and not to BUCKET.ENDPOINT/KEY. Default: true with an endpoint." }, "server_side_encryption": { "type": "string", "minLength": 1, "description": "Of the backend s3. How the store encrypts the objects: AES256, aws:kms or aws:kms:dsse. Default: as the bucket says.", "examples": ["aws:kms"] }, "kms_key_id": { "type": "string", "minLength": 1, "description": "Of the backend s3. Id, ARN or alias of the KMS key, for aws:kms and aws:kms:dsse." }, "credentials": { "$ref": "#/$defs/secret", "description": "Of the backend s3. The JSON of AWS's credential_process. Default: AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, with AWS_SESSION_TOKEN for temporary credentials." }, "url": { "$ref": "#/$defs/secret", "description": "Of the backend pg. A reference to the URL of the database: postgres://USER:PASSWORD@HOST:PORT/DATABASE. Beyond this machine, the connection is encrypted and the server's certificate verified, unless `sslmode` says otherwise. Without it, PG_CONN_STR sets it." }, "schema": { "type": "string", "minLength": 1, "description": "Of the backend pg. The schema of the tables. It is created if it does not exist.", "default": "outreach" }, "name": { "type": "string", "minLength": 1, "description": "Of the backend pg. The name of the state within the schema.", "default": "default" } } }, "variables": { "type": "object", "description": "Values that differ between runs. Set them with --var NAME=VALUE, --var-file, or OUTREACH_VAR_NAME.", "propertyNames": { "pattern": "^[\\p{L}_][\\p{L}\\p{N}_-]*$" }, "additionalProperties": { "type": ["object", "null"], "additionalProperties": false, "properties": { "default": { "type": ["string", "number", "boolean"], "description": "Value if none is set. Without a default, the variable is required." }, "allowed": { "type": "array", "minItems": 1, "items": { "type": ["string", "number", "boolean"] }, "description": "The only values that it may have, whether from its default or from outside.", "examples": [["staging", "production"]] }, "sensitive": { "type": "boolean", "default": false, "description": "Whether to mask values that contain it in output. The state still stores them." }, "description": { "type": "string", "description": "Purpose, for readers." } } } }, "data": { "type": "object", "additionalProperties": false, "description": "Objects of the service to look up. outreach only reads them.", "properties": { "campaign": { "type": "object", "description": "Campaigns to look up, by name.", "propertyNames": { "pattern": "^[\\p{L}_][\\p{L}\\p{N}_-]*$" }, "additionalProperties": { "type": "object", "additionalProperties": false, "description": "Reads one campaign by its id or its name. Set exactly one of them.", "required": [], "properties": { "id": { "description": "Id of the campaign.", "examples": ["cam_000001"], "type": "string" }, "name": { "description": "Exact name of the campaign.", "examples": ["Q3 launch"], "type": "string" }, "status": { "description": "Status, if several campaigns have the same name. A campaign can have several.", "anyOf": [{ "enum": ["running", "paused", "draft", "ended", "archived", "errors"] }, { "type": "string" }] } } } }, "campaigns": { "type": "object", "description": "Filters that find campaigns, by name. A block refers to one with campaigns.", "propertyNames": { "pattern": "^[\\p{L}_][\\p{L}\\p{N}_-]*$" }, "additionalProperties": { "type": "object", "additionalProperties": false, "description": "Reads the campaigns of the team that match every filter. Without a filter, it reads all campaigns.", "required": [], "properties": { "status": { "description": "Only campaigns with this status. A campaign can have several.", "anyOf": [{ "enum": ["running", "paused", "draft", "ended", "archived", "errors"] }, { "type": "string" }] }, "created_by": { "description": "Only campaigns that this user created.", "examples": ["usr_000001"], "type": "string" }, "labels": { "description": "Only campaigns with all of these labels.", "type": "array", "items": { "type": "string" } }, "name_regex": { "description": "Only campaigns whose name contains a match of this regular expression, in RE2's syntax as in Terraform.", "examples": ["^Q[34] "], "type": "string" }, "sort_order": { "description": "Order by creation time: `asc` (default) or `desc`.", "anyOf": [{ "enum": ["asc", "desc"] }, { "type": "string" }] } } } }, "schedules": { "type": "object", "description": "Schedules of campaigns to look up.", "propertyNames": { "pattern": "^[\\p{L}_][\\p{L}\\p{N}_-]*$" }, "additionalProperties": { "type": "object", "additionalProperties": false, "description": "Reads the schedules of a campaign: when it sends.", "required": [], "properties": { "campaign_id": { "description": "Id of the campaign.", "examples": ["cam_000001"], "type": "string" }, "campaign": { "type": "string", "description": "Name of a block under data.campaign, instead of the id." } } } }, "warmup_settings": { "type": "object", "description": "Warm-up settings of mailboxes to look up.", "propertyNames": { "pattern": "^[\\p{L}_][\\p{L}\\p{N}_-]*$" }, "additionalProperties": { "type": "object", "additionalProperties": false, "description": "Reads the warm-up settings of a mailbox. The service documents two sets of fields; a field that an answer omits is null.", "required": ["user_mailbox_id"], "properties": { "user_mailbox_id": { "description": "Id of the mailbox.", "examples": ["usm_000001"], "type": "string" } } } }, "webhooks": { "type": "object", "description": "Live webhooks, managed or not.", "propertyNames": { "pattern": "^[\\p{L}_][\\p{L}\\p{N}_-]*$" }, "additionalProperties": { "type": "object", "additionalProperties": false, "description": "Reads all live webhooks of the team, managed or not. The service never returns secrets.", "required": [], "properties": {} } } } }, "webhooks": { "type": "object", "description": "Webhooks to manage, by name.", "propertyNames": { "pattern": "^[\\p{L}_][\\p{L}\\p{N}_-]*$" }, "additionalProperties": { "type": "object", "additionalProperties": false, "description": "Manages a webhook. The service sends each event of a type, or all events, as an HTTP POST to a URL. It cannot update a webhook, so every change replaces it.", "required": ["target_url"], "properties": { "target_url": { "description": "URL that receives the events: https, without user info, at most 2,048 characters. http is valid only for loopback hosts.", "examples": ["https://crm.example.com/hooks/replies"], "type": "string" }, "type": { "description": "Event type to receive. Default: all events.", "examples": ["emailsReplied"], "anyOf": [{ "enum": ["contacted", "hooked", "attracted", "warmed", "interested", "notInterested", "emailsSent", "emailsOpened", "emailsClicked", "emailsReplied", "emailsBounced", "emailsFailed", "emailsInterested", "emailsNotInterested", "emailsUnsubscribed", "networkSent", "networkOpened", "networkReplied", "networkInterested", "networkNotInterested", "networkSendFailed", "networkVisitDone", "networkVisitFailed", "networkFollowDone", "networkFollowFailed", "networkFollowSkipped", "networkInviteDone", "networkInviteFailed", "networkInviteAccepted", "networkEndorseDone", "networkEndorseFailed", "networkEndorseSkipped", "networkVoiceNoteDone", "networkVoiceNoteFailed", "networkLikeLastPostDone", "networkLikeLastPostNoPost", "networkLikeLastPostFailed", "networkWithdrawInvitationDone", "networkWithdrawInvitationFailed", "chatMessageSent", "chatMessageDelivered", "chatMessageOpened", "chatReplied", "chatMessageFailed", "smsSent", "smsDelivered", "smsReplied", "smsFailed", "dialerCreated", "dialerEnded", "dialerDone", "dialerInterested", "dialerNotInterested", "callRecordingDone", "callTranscriptDone", "apiDone", "apiInterested", "apiNotInterested", "apiFailed", "manualInterested", "manualNotInterested", "annotated", "paused", "resumed", "stopped", "campaignComplete", "customDomainErrors", "connectionIssue", "sendLimitReached", "warmupPaused", "enrichmentDone", "enrichmentError", "inboxLabelUpdated", "signalRegistered", "deliverabilityAlertTriggered"] }, { "type": "string" }] }, "types": { "type": "array", "description": "Fan-out over event types: one webhook per type.", "items": { "anyOf": [{ "enum": ["contacted", "hooked", "attracted", "warmed", "interested", "notInterested", "emailsSent", "emailsOpened", "emailsClicked", "emailsReplied", "emailsBounced", "emailsFailed", "emailsInterested", "emailsNotInterested", "emailsUnsubscribed", "networkSent", "networkOpened", "networkReplied", "networkInterested", "networkNotInterested", "networkSendFailed", "networkVisitDone", "networkVisitFailed", "networkFollowDone", "networkFollowFailed", "networkFollowSkipped", "networkInviteDone", "networkInviteFailed", "networkInviteAccepted", "networkEndorseDone", "networkEndorseFailed", "networkEndorseSkipped", "networkVoiceNoteDone", "networkVoiceNoteFailed", "networkLikeLastPostDone", "networkLikeLastPostNoPost", "networkLikeLastPostFailed", "networkWithdrawInvitationDone", "networkWithdrawInvitationFailed", "chatMessageSent", "chatMessageDelivered", "chatMessageOpened", "chatReplied", "chatMessageFailed", "smsSent", "smsDelivered", "smsReplied", "smsFailed", "dialerCreated", "dialerEnded", "dialerDone", "dialerInterested", "dialerNotInterested", "callRecordingDone", "callTranscriptDone", "apiDone", "apiInterested", "apiNotInterested", "apiFailed", "manualInterested", "manualNotInterested", "annotated", "paused", "resumed", "stopped", "campaignComplete", "customDomainErrors", "connectionIssue", "sendLimitReached", "warmupPaused", "enrichmentDone", "enrichmentError", "inboxLabelUpdated", "signalRegistered", "deliverabilityAlertTriggered"] }, { "type": "string" }] }, "examples": [["emailsReplied"]] }, "campaign_id": { "description": "Campaign whose events to receive. Default: all campaigns.", "examples": ["cam_000001"], "type": "string" }, "campaign": { "type": "string", "description": "Name of a block under data.campaign, instead of the id." }, "campaigns": { "type": ["string", "array"], "description": "Fan-out over campaigns: the name of a block under data.campaigns, or a list of names under data.campaign.", "items": { "type": "string" } }, "is_first": { "description": "Whether to deliver only the first activity. Default: false.", "default": false, "anyOf": [{ "type": "boolean" }, { "type": "string", "pattern": "\\$\\{", "description": "Expression." }] }, "automation_id": { "description": "Identifier of your workflow automation. The service stores it for tracking.", "type": "string" }, "secret": { "$ref": "#/$defs/secret", "description": "Shared secret. The service adds it to each event, so the receiver can verify that the event is genuine. The service never returns it. A new secret replaces the webhook." }, "allow_duplicate": { "description": "Whether to allow a duplicate of this webhook. Default: false. A duplicate delivers every event twice, so creating one is otherwise an error.", "anyOf": [{ "type": "boolean" }, { "type": "string", "pattern": "\\$\\{", "description": "Expression." }] }, "rotation": { "description": "Order of a replace: `delete_first` (default; no event is delivered in between) or `create_first` (for a moment both deliver).", "default": "delete_first", "anyOf": [{ "enum": ["delete_first", "create_first"] }, { "type": "string" }] }, "protect": { "description": "Whether to block a delete, a destroy, and every replace except one for a new secret. If you remove the block, the last applied value still applies.", "default": false, "anyOf": [{ "type": "boolean" }, { "type": "string", "pattern": "\\$\\{", "description": "Expression." }] }, "allow_empty": { "type": "boolean", "default": false, "description": "Whether to allow an empty list or filter. Otherwise it is an error." }, "prune": { "type": "boolean", "default": false, "description": "Whether to delete the webhooks of a campaign that leaves the filter. Otherwise outreach keeps them, with a note." } } } }, "lead_unsubscriptions": { "type": "object", "description": "Leads to unsubscribe from campaigns, as named lists. The service cannot undo it.", "propertyNames": { "pattern": "^[\\p{L}_][\\p{L}\\p{N}_-]*$" }, "additionalProperties": { "type": "object", "additionalProperties": false, "description": "Unsubscribes a lead from a campaign. The service cannot undo it: if you remove the declaration, it is only forgotten.", "required": [], "properties": { "campaign_id": { "description": "Campaign to unsubscribe the lead from.", "examples": ["cam_000001"], "type": "string" }, "campaign": { "type": "string", "description": "Name of a block under data.campaign, instead of the id." }, "campaigns": { "type": ["string", "array"], "description": "Fan-out over campaigns: the name of a block under data.campaigns, or a list of names under data.campaign.", "items": { "type": "string" } }, "email": { "description": "Email address of the lead. Case does not matter.", "examples": ["ada@example.com"], "type": "string" }, "emails": { "type": "array", "description": "Email addresses of the leads. Case does not matter, and duplicates count once.", "items": { "type": "string" }, "examples": [["ada@example.com"]] }, "emails_from": { "type": "string", "minLength": 1, "description": "File with more addresses, in the configuration's folder or below it: one address per line, or a CSV with an email column. At most 50 MB.", "examples": ["suppressions/2026-11.csv"] }, "on_not_found": { "description": "Result if the campaign has no such lead. `warn` (default) records it as done with a warning, `ignore` without one. `error` fails. `retry` fails, and every apply tries again until the lead exists.", "default": "warn", "anyOf": [{ "enum": ["warn", "ignore", "error", "retry"] }, { "type": "string" }] }, "allow_empty": { "type": "boolean", "default": false, "description": "Whether to allow an empty list or filter. Otherwise it is an error." }, "prune": { "type": "boolean", "default": false, "description": "Whether to delete the webhooks of a campaign that leaves the filter. Otherwise outreach keeps them, with a note." } } } }, "imports": { "type": "array", "description": "Existing objects of the service to manage. An object that is already in the state stays as it is.", "items": { "type": "object", "additionalProperties": false, "required": ["to", "id"], "properties": { "to": { "type": "string", "minLength": 1, "description": "Address that declares the object.", "examples": ["outreach_webhook.crm-replies"] }, "id": { "type": "string", "minLength": 1, "description": "Id of the webhook, or CAMPAIGN_ID/EMAIL of an unsubscription that is already done.", "examples": ["hoo_000001"] } } } }, "moved": { "type": "array", "description": "Blocks and instances with a new address. The state keeps their objects, at the new address.", "items": { "type": "object", "additionalProperties": false, "required": ["from", "to"], "properties": { "from": { "type": "string", "minLength": 1, "description": "Old address of a block or an instance.", "examples": ["outreach_webhook.crm"] }, "to": { "type": "string", "minLength": 1, "description": "New address.", "examples": ["outreach_webhook.crm-replies"] } } } }, "removed": { "type": "array", "description": "Blocks that you no longer declare, and whether to delete their objects.", "items": { "type": "object", "additionalProperties": false, "required": ["from"], "properties": { "from": { "type": "string", "minLength": 1, "description": "Address of the block. It includes all instances.", "examples": ["outreach_webhook.audit"] }, "destroy": { "type": "boolean", "default": true, "description": "Whether to delete the objects in the service. If false, outreach only forgets them." } } } }, "outputs": { "type": "object", "description": "Values to show after an apply. The state stores them for outreach output.", "propertyNames": { "pattern": "^[\\p{L}_][\\p{L}\\p{N}_-]*$" }, "additionalProperties": { "type": ["string", "number", "boolean", "array", "object"], "description": "Expression, or a map with value, sensitive and description.", "items": { "type": ["string", "number", "boolean"] }, "additionalProperties": false, "properties": { "value": { "type": ["string", "number", "boolean", "array"], "items": { "type": ["string", "number", "boolean"] }, "description": "Value to show.", "examples": ["${data.outreach_campaign.q3.id}"] }, "sensitive": { "type": "boolean", "default": false, "description": "Whether to mask it in the list of all outputs. A value from a sensitive variable is always masked." }, "description": { "type": "string", "description": "Purpose, for readers." } }, "examples": ["${data.outreach_campaign.q3.id}"] } }, "limits": { "type": "object", "additionalProperties": false, "description": "Limits of one apply. A plan that exceeds a limit fails, and names the flag that allows it.", "properties": { "delete": { "type": ["integer", "string"], "minimum": 0, "pattern": "^(100|[1-9]?[0-9])%$", "description": "Maximum deletes, as a number or a percentage of the managed webhooks. Default: a plan fails if it deletes more than 3 and more than 30%.", "examples": ["30%"] }, "replace": { "type": ["integer", "string"], "minimum": 0, "pattern": "^(100|[1-9]?[0-9])%$", "description": "Maximum webhooks to replace for another reason than a new secret, as a number or a percentage. Default: a plan fails if it replaces more than 3 and more than 30%.", "examples": ["30%"] }, "recreate": { "type": ["integer", "string"], "minimum": 0, "pattern": "^(100|[1-9]?[0-9])%$", "description": "Maximum missing webhooks to create again, as a number or a percentage. Default: a plan fails if more than 3 and more than 20% are missing.", "examples": ["20%"] }, "unsubscribe": { "type": ["integer", "string"], "minimum": 0, "pattern": "^(100|[1-9]?[0-9])%$", "description": "Maximum unsubscriptions of a plan that nobody approves by typing yes: with --auto-approve, and of a saved plan.", "examples": [50], "default": 100 } } } }, "$defs": { "secret": { "description": "Source of a secret. The configuration never contains the secret.", "type": "object", "additionalProperties": false, "minProperties": 1, "not": { "anyOf": [{ "required": ["env", "file"] }, { "required": ["env", "command"] }, { "required": ["file", "command"] }] }, "properties": { "env": { "type": "string", "minLength": 1, "description": "Name of an environment variable, as in HOOK_SECRET or HOOK_SECRET_${var.stage}. Its value is used unchanged." }, "file": { "type": "string", "minLength": 1, "description": "File in the configuration's folder, or below it, as in secrets/${var.stage}/hook. One final newline is stripped." }, "command": { "type": "array", "minItems": 1, "items": { "type": "string" }, "description": "Program and its arguments. One final newline of its output is stripped." } } } } };
var schema32 = { "description": "Source of a secret. The configuration never contains the secret.", "type": "object", "additionalProperties": false, "minProperties": 1, "not": { "anyOf": [{ "required": ["env", "file"] }, { "required": ["env", "command"] }, { "required": ["file", "command"] }] }, "properties": { "env": { "type": "string", "minLength": 1, "description": "Name of an environment variable, as in HOOK_SECRET or HOOK_SECRET_${var.stage}. Its value is used unchanged." }, "file": { "type": "string", "minLength": 1, "description": "File in the configuration's folder, or below it, as in secrets/${var.stage}/hook. One final newline is stripped." }, "command": { "type": "array", "minItems": 1, "items": { "type": "string" }, "description": "Program and its arguments. One final newline of its output is stripped." } } };
var func1 = Object.prototype.hasOwnProperty;
var func2 = require_ucs2length().default;
var pattern4 = new RegExp("^(100|[1-9][0-9]?)%$", "u");
var pattern5 = new RegExp("^[\\p{L}_][\\p{L}\\p{N}_-]*$", "u");
var pattern12 = new RegExp("\\$\\{", "u");
var pattern17 = new RegExp("^(100|[1-9]?[0-9])%$", "u");
function validate20(data, { instancePath = "", parentData, parentDataProperty, rootData = data, dynamicAnchors = {} } = {}) {
  ;
  let vErrors = null;
  let errors = 0;
  const evaluated0 = validate20.evaluated;
  if (evaluated0.dynamicProps) {
    evaluated0.props = void 0;
  }
  if (evaluated0.dynamicItems) {
    evaluated0.items = void 0;
  }
  if (data && typeof data == "object" && !Array.isArray(data)) {
    if (data.version === void 0) {
      const err0 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "version" }, message: "must have required property 'version'", schema: schema31.required, parentSchema: schema31, data };
      if (vErrors === null) {
        vErrors = [err0];
      } else {
        vErrors.push(err0);
      }
      errors++;
    }
    for (const key0 in data) {
      if (!func1.call(schema31.properties, key0)) {
        const err1 = { instancePath, schemaPath: "#/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key0 }, message: "must NOT have additional properties", schema: false, parentSchema: schema31, data };
        if (vErrors === null) {
          vErrors = [err1];
        } else {
          vErrors.push(err1);
        }
        errors++;
      }
    }
    if (data.version !== void 0) {
      let data0 = data.version;
      if (1 !== data0) {
        const err2 = { instancePath: instancePath + "/version", schemaPath: "#/properties/version/const", keyword: "const", params: { allowedValue: 1 }, message: "must be equal to constant", schema: 1, parentSchema: schema31.properties.version, data: data0 };
        if (vErrors === null) {
          vErrors = [err2];
        } else {
          vErrors.push(err2);
        }
        errors++;
      }
    }
    if (data.service !== void 0) {
      let data1 = data.service;
      if (data1 && typeof data1 == "object" && !Array.isArray(data1)) {
        for (const key1 in data1) {
          if (!(key1 === "base_url" || key1 === "rate_share" || key1 === "api_key")) {
            const err3 = { instancePath: instancePath + "/service", schemaPath: "#/properties/service/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key1 }, message: "must NOT have additional properties", schema: false, parentSchema: schema31.properties.service, data: data1 };
            if (vErrors === null) {
              vErrors = [err3];
            } else {
              vErrors.push(err3);
            }
            errors++;
          }
        }
        if (data1.base_url !== void 0) {
          let data2 = data1.base_url;
          if (typeof data2 !== "string") {
            const err4 = { instancePath: instancePath + "/service/base_url", schemaPath: "#/properties/service/properties/base_url/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema31.properties.service.properties.base_url.type, parentSchema: schema31.properties.service.properties.base_url, data: data2 };
            if (vErrors === null) {
              vErrors = [err4];
            } else {
              vErrors.push(err4);
            }
            errors++;
          }
        }
        if (data1.rate_share !== void 0) {
          let data3 = data1.rate_share;
          if (typeof data3 === "string") {
            if (!pattern4.test(data3)) {
              const err5 = { instancePath: instancePath + "/service/rate_share", schemaPath: "#/properties/service/properties/rate_share/pattern", keyword: "pattern", params: { pattern: "^(100|[1-9][0-9]?)%$" }, message: 'must match pattern "^(100|[1-9][0-9]?)%$"', schema: "^(100|[1-9][0-9]?)%$", parentSchema: schema31.properties.service.properties.rate_share, data: data3 };
              if (vErrors === null) {
                vErrors = [err5];
              } else {
                vErrors.push(err5);
              }
              errors++;
            }
          } else {
            const err6 = { instancePath: instancePath + "/service/rate_share", schemaPath: "#/properties/service/properties/rate_share/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema31.properties.service.properties.rate_share.type, parentSchema: schema31.properties.service.properties.rate_share, data: data3 };
            if (vErrors === null) {
              vErrors = [err6];
            } else {
              vErrors.push(err6);
            }
            errors++;
          }
        }
        if (data1.api_key !== void 0) {
          let data4 = data1.api_key;
          const _errs13 = errors;
          const _errs14 = errors;
          const _errs15 = errors;
          let valid4 = false;
          const _errs16 = errors;
          if (data4 && typeof data4 == "object" && !Array.isArray(data4)) {
            let missing0;
            if (data4.env === void 0 && (missing0 = "env") || data4.file === void 0 && (missing0 = "file")) {
              const err7 = {};
              if (vErrors === null) {
                vErrors = [err7];
              } else {
                vErrors.push(err7);
              }
              errors++;
            }
          }
          var _valid0 = _errs16 === errors;
          valid4 = valid4 || _valid0;
          const _errs17 = errors;
          if (data4 && typeof data4 == "object" && !Array.isArray(data4)) {
            let missing1;
            if (data4.env === void 0 && (missing1 = "env") || data4.command === void 0 && (missing1 = "command")) {
              const err8 = {};
              if (vErrors === null) {
                vErrors = [err8];
              } else {
                vErrors.push(err8);
              }
              errors++;
            }
          }
          var _valid0 = _errs17 === errors;
          valid4 = valid4 || _valid0;
          const _errs18 = errors;
          if (data4 && typeof data4 == "object" && !Array.isArray(data4)) {
            let missing2;
            if (data4.file === void 0 && (missing2 = "file") || data4.command === void 0 && (missing2 = "command")) {
              const err9 = {};
              if (vErrors === null) {
                vErrors = [err9];
              } else {
                vErrors.push(err9);
              }
              errors++;
            }
          }
          var _valid0 = _errs18 === errors;
          valid4 = valid4 || _valid0;
          if (!valid4) {
            const err10 = {};
            if (vErrors === null) {
              vErrors = [err10];
            } else {
              vErrors.push(err10);
            }
            errors++;
          } else {
            errors = _errs15;
            if (vErrors !== null) {
              if (_errs15) {
                vErrors.length = _errs15;
              } else {
                vErrors = null;
              }
            }
          }
          var valid3 = _errs14 === errors;
          if (valid3) {
            const err11 = { instancePath: instancePath + "/service/api_key", schemaPath: "#/$defs/secret/not", keyword: "not", params: {}, message: "must NOT be valid", schema: schema32.not, parentSchema: schema32, data: data4 };
            if (vErrors === null) {
              vErrors = [err11];
            } else {
              vErrors.push(err11);
            }
            errors++;
          } else {
            errors = _errs13;
            if (vErrors !== null) {
              if (_errs13) {
                vErrors.length = _errs13;
              } else {
                vErrors = null;
              }
            }
          }
          if (data4 && typeof data4 == "object" && !Array.isArray(data4)) {
            if (Object.keys(data4).length < 1) {
              const err12 = { instancePath: instancePath + "/service/api_key", schemaPath: "#/$defs/secret/minProperties", keyword: "minProperties", params: { limit: 1 }, message: "must NOT have fewer than 1 properties", schema: 1, parentSchema: schema32, data: data4 };
              if (vErrors === null) {
                vErrors = [err12];
              } else {
                vErrors.push(err12);
              }
              errors++;
            }
            for (const key2 in data4) {
              if (!(key2 === "env" || key2 === "file" || key2 === "command")) {
                const err13 = { instancePath: instancePath + "/service/api_key", schemaPath: "#/$defs/secret/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key2 }, message: "must NOT have additional properties", schema: false, parentSchema: schema32, data: data4 };
                if (vErrors === null) {
                  vErrors = [err13];
                } else {
                  vErrors.push(err13);
                }
                errors++;
              }
            }
            if (data4.env !== void 0) {
              let data5 = data4.env;
              if (typeof data5 === "string") {
                if (func2(data5) < 1) {
                  const err14 = { instancePath: instancePath + "/service/api_key/env", schemaPath: "#/$defs/secret/properties/env/minLength", keyword: "minLength", params: { limit: 1 }, message: "must NOT have fewer than 1 characters", schema: 1, parentSchema: schema32.properties.env, data: data5 };
                  if (vErrors === null) {
                    vErrors = [err14];
                  } else {
                    vErrors.push(err14);
                  }
                  errors++;
                }
              } else {
                const err15 = { instancePath: instancePath + "/service/api_key/env", schemaPath: "#/$defs/secret/properties/env/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema32.properties.env.type, parentSchema: schema32.properties.env, data: data5 };
                if (vErrors === null) {
                  vErrors = [err15];
                } else {
                  vErrors.push(err15);
                }
                errors++;
              }
            }
            if (data4.file !== void 0) {
              let data6 = data4.file;
              if (typeof data6 === "string") {
                if (func2(data6) < 1) {
                  const err16 = { instancePath: instancePath + "/service/api_key/file", schemaPath: "#/$defs/secret/properties/file/minLength", keyword: "minLength", params: { limit: 1 }, message: "must NOT have fewer than 1 characters", schema: 1, parentSchema: schema32.properties.file, data: data6 };
                  if (vErrors === null) {
                    vErrors = [err16];
                  } else {
                    vErrors.push(err16);
                  }
                  errors++;
                }
              } else {
                const err17 = { instancePath: instancePath + "/service/api_key/file", schemaPath: "#/$defs/secret/properties/file/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema32.properties.file.type, parentSchema: schema32.properties.file, data: data6 };
                if (vErrors === null) {
                  vErrors = [err17];
                } else {
                  vErrors.push(err17);
                }
                errors++;
              }
            }
            if (data4.command !== void 0) {
              let data7 = data4.command;
              if (Array.isArray(data7)) {
                if (data7.length < 1) {
                  const err18 = { instancePath: instancePath + "/service/api_key/command", schemaPath: "#/$defs/secret/properties/command/minItems", keyword: "minItems", params: { limit: 1 }, message: "must NOT have fewer than 1 items", schema: 1, parentSchema: schema32.properties.command, data: data7 };
                  if (vErrors === null) {
                    vErrors = [err18];
                  } else {
                    vErrors.push(err18);
                  }
                  errors++;
                }
                const len0 = data7.length;
                for (let i0 = 0; i0 < len0; i0++) {
                  let data8 = data7[i0];
                  if (typeof data8 !== "string") {
                    const err19 = { instancePath: instancePath + "/service/api_key/command/" + i0, schemaPath: "#/$defs/secret/properties/command/items/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema32.properties.command.items.type, parentSchema: schema32.properties.command.items, data: data8 };
                    if (vErrors === null) {
                      vErrors = [err19];
                    } else {
                      vErrors.push(err19);
                    }
                    errors++;
                  }
                }
              } else {
                const err20 = { instancePath: instancePath + "/service/api_key/command", schemaPath: "#/$defs/secret/properties/command/type", keyword: "type", params: { type: "array" }, message: "must be array", schema: schema32.properties.command.type, parentSchema: schema32.properties.command, data: data7 };
                if (vErrors === null) {
                  vErrors = [err20];
                } else {
                  vErrors.push(err20);
                }
                errors++;
              }
            }
          } else {
            const err21 = { instancePath: instancePath + "/service/api_key", schemaPath: "#/$defs/secret/type", keyword: "type", params: { type: "object" }, message: "must be object", schema: schema32.type, parentSchema: schema32, data: data4 };
            if (vErrors === null) {
              vErrors = [err21];
            } else {
              vErrors.push(err21);
            }
            errors++;
          }
        }
      } else {
        const err22 = { instancePath: instancePath + "/service", schemaPath: "#/properties/service/type", keyword: "type", params: { type: "object" }, message: "must be object", schema: schema31.properties.service.type, parentSchema: schema31.properties.service, data: data1 };
        if (vErrors === null) {
          vErrors = [err22];
        } else {
          vErrors.push(err22);
        }
        errors++;
      }
    }
    if (data.state !== void 0) {
      let data9 = data.state;
      if (data9 && typeof data9 == "object" && !Array.isArray(data9)) {
        for (const key3 in data9) {
          if (!func1.call(schema31.properties.state.properties, key3)) {
            const err23 = { instancePath: instancePath + "/state", schemaPath: "#/properties/state/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key3 }, message: "must NOT have additional properties", schema: false, parentSchema: schema31.properties.state, data: data9 };
            if (vErrors === null) {
              vErrors = [err23];
            } else {
              vErrors.push(err23);
            }
            errors++;
          }
        }
        if (data9.backend !== void 0) {
          let data10 = data9.backend;
          if (!(data10 === "local" || data10 === "http" || data10 === "s3" || data10 === "pg")) {
            const err24 = { instancePath: instancePath + "/state/backend", schemaPath: "#/properties/state/properties/backend/enum", keyword: "enum", params: { allowedValues: schema31.properties.state.properties.backend.enum }, message: "must be equal to one of the allowed values", schema: schema31.properties.state.properties.backend.enum, parentSchema: schema31.properties.state.properties.backend, data: data10 };
            if (vErrors === null) {
              vErrors = [err24];
            } else {
              vErrors.push(err24);
            }
            errors++;
          }
        }
        if (data9.path !== void 0) {
          let data11 = data9.path;
          if (typeof data11 === "string") {
            if (func2(data11) < 1) {
              const err25 = { instancePath: instancePath + "/state/path", schemaPath: "#/properties/state/properties/path/minLength", keyword: "minLength", params: { limit: 1 }, message: "must NOT have fewer than 1 characters", schema: 1, parentSchema: schema31.properties.state.properties.path, data: data11 };
              if (vErrors === null) {
                vErrors = [err25];
              } else {
                vErrors.push(err25);
              }
              errors++;
            }
          } else {
            const err26 = { instancePath: instancePath + "/state/path", schemaPath: "#/properties/state/properties/path/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema31.properties.state.properties.path.type, parentSchema: schema31.properties.state.properties.path, data: data11 };
            if (vErrors === null) {
              vErrors = [err26];
            } else {
              vErrors.push(err26);
            }
            errors++;
          }
        }
        if (data9.address !== void 0) {
          let data12 = data9.address;
          if (typeof data12 === "string") {
            if (func2(data12) < 1) {
              const err27 = { instancePath: instancePath + "/state/address", schemaPath: "#/properties/state/properties/address/minLength", keyword: "minLength", params: { limit: 1 }, message: "must NOT have fewer than 1 characters", schema: 1, parentSchema: schema31.properties.state.properties.address, data: data12 };
              if (vErrors === null) {
                vErrors = [err27];
              } else {
                vErrors.push(err27);
              }
              errors++;
            }
          } else {
            const err28 = { instancePath: instancePath + "/state/address", schemaPath: "#/properties/state/properties/address/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema31.properties.state.properties.address.type, parentSchema: schema31.properties.state.properties.address, data: data12 };
            if (vErrors === null) {
              vErrors = [err28];
            } else {
              vErrors.push(err28);
            }
            errors++;
          }
        }
        if (data9.lock_address !== void 0) {
          let data13 = data9.lock_address;
          if (typeof data13 === "string") {
            if (func2(data13) < 1) {
              const err29 = { instancePath: instancePath + "/state/lock_address", schemaPath: "#/properties/state/properties/lock_address/minLength", keyword: "minLength", params: { limit: 1 }, message: "must NOT have fewer than 1 characters", schema: 1, parentSchema: schema31.properties.state.properties.lock_address, data: data13 };
              if (vErrors === null) {
                vErrors = [err29];
              } else {
                vErrors.push(err29);
              }
              errors++;
            }
          } else {
            const err30 = { instancePath: instancePath + "/state/lock_address", schemaPath: "#/properties/state/properties/lock_address/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema31.properties.state.properties.lock_address.type, parentSchema: schema31.properties.state.properties.lock_address, data: data13 };
            if (vErrors === null) {
              vErrors = [err30];
            } else {
              vErrors.push(err30);
            }
            errors++;
          }
        }
        if (data9.unlock_address !== void 0) {
          let data14 = data9.unlock_address;
          if (typeof data14 === "string") {
            if (func2(data14) < 1) {
              const err31 = { instancePath: instancePath + "/state/unlock_address", schemaPath: "#/properties/state/properties/unlock_address/minLength", keyword: "minLength", params: { limit: 1 }, message: "must NOT have fewer than 1 characters", schema: 1, parentSchema: schema31.properties.state.properties.unlock_address, data: data14 };
              if (vErrors === null) {
                vErrors = [err31];
              } else {
                vErrors.push(err31);
              }
              errors++;
            }
          } else {
            const err32 = { instancePath: instancePath + "/state/unlock_address", schemaPath: "#/properties/state/properties/unlock_address/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema31.properties.state.properties.unlock_address.type, parentSchema: schema31.properties.state.properties.unlock_address, data: data14 };
            if (vErrors === null) {
              vErrors = [err32];
            } else {
              vErrors.push(err32);
            }
            errors++;
          }
        }
        if (data9.lock !== void 0) {
          let data15 = data9.lock;
          if (typeof data15 !== "boolean") {
            const err33 = { instancePath: instancePath + "/state/lock", schemaPath: "#/properties/state/properties/lock/type", keyword: "type", params: { type: "boolean" }, message: "must be boolean", schema: schema31.properties.state.properties.lock.type, parentSchema: schema31.properties.state.properties.lock, data: data15 };
            if (vErrors === null) {
              vErrors = [err33];
            } else {
              vErrors.push(err33);
            }
            errors++;
          }
        }
        if (data9.update_method !== void 0) {
          let data16 = data9.update_method;
          if (typeof data16 === "string") {
            if (func2(data16) < 1) {
              const err34 = { instancePath: instancePath + "/state/update_method", schemaPath: "#/properties/state/properties/update_method/minLength", keyword: "minLength", params: { limit: 1 }, message: "must NOT have fewer than 1 characters", schema: 1, parentSchema: schema31.properties.state.properties.update_method, data: data16 };
              if (vErrors === null) {
                vErrors = [err34];
              } else {
                vErrors.push(err34);
              }
              errors++;
            }
          } else {
            const err35 = { instancePath: instancePath + "/state/update_method", schemaPath: "#/properties/state/properties/update_method/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema31.properties.state.properties.update_method.type, parentSchema: schema31.properties.state.properties.update_method, data: data16 };
            if (vErrors === null) {
              vErrors = [err35];
            } else {
              vErrors.push(err35);
            }
            errors++;
          }
        }
        if (data9.lock_method !== void 0) {
          let data17 = data9.lock_method;
          if (typeof data17 === "string") {
            if (func2(data17) < 1) {
              const err36 = { instancePath: instancePath + "/state/lock_method", schemaPath: "#/properties/state/properties/lock_method/minLength", keyword: "minLength", params: { limit: 1 }, message: "must NOT have fewer than 1 characters", schema: 1, parentSchema: schema31.properties.state.properties.lock_method, data: data17 };
              if (vErrors === null) {
                vErrors = [err36];
              } else {
                vErrors.push(err36);
              }
              errors++;
            }
          } else {
            const err37 = { instancePath: instancePath + "/state/lock_method", schemaPath: "#/properties/state/properties/lock_method/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema31.properties.state.properties.lock_method.type, parentSchema: schema31.properties.state.properties.lock_method, data: data17 };
            if (vErrors === null) {
              vErrors = [err37];
            } else {
              vErrors.push(err37);
            }
            errors++;
          }
        }
        if (data9.unlock_method !== void 0) {
          let data18 = data9.unlock_method;
          if (typeof data18 === "string") {
            if (func2(data18) < 1) {
              const err38 = { instancePath: instancePath + "/state/unlock_method", schemaPath: "#/properties/state/properties/unlock_method/minLength", keyword: "minLength", params: { limit: 1 }, message: "must NOT have fewer than 1 characters", schema: 1, parentSchema: schema31.properties.state.properties.unlock_method, data: data18 };
              if (vErrors === null) {
                vErrors = [err38];
              } else {
                vErrors.push(err38);
              }
              errors++;
            }
          } else {
            const err39 = { instancePath: instancePath + "/state/unlock_method", schemaPath: "#/properties/state/properties/unlock_method/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema31.properties.state.properties.unlock_method.type, parentSchema: schema31.properties.state.properties.unlock_method, data: data18 };
            if (vErrors === null) {
              vErrors = [err39];
            } else {
              vErrors.push(err39);
            }
            errors++;
          }
        }
        if (data9.username !== void 0) {
          let data19 = data9.username;
          if (typeof data19 === "string") {
            if (func2(data19) < 1) {
              const err40 = { instancePath: instancePath + "/state/username", schemaPath: "#/properties/state/properties/username/minLength", keyword: "minLength", params: { limit: 1 }, message: "must NOT have fewer than 1 characters", schema: 1, parentSchema: schema31.properties.state.properties.username, data: data19 };
              if (vErrors === null) {
                vErrors = [err40];
              } else {
                vErrors.push(err40);
              }
              errors++;
            }
          } else {
            const err41 = { instancePath: instancePath + "/state/username", schemaPath: "#/properties/state/properties/username/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema31.properties.state.properties.username.type, parentSchema: schema31.properties.state.properties.username, data: data19 };
            if (vErrors === null) {
              vErrors = [err41];
            } else {
              vErrors.push(err41);
            }
            errors++;
          }
        }
        if (data9.password !== void 0) {
          let data20 = data9.password;
          const _errs53 = errors;
          const _errs54 = errors;
          const _errs55 = errors;
          let valid11 = false;
          const _errs56 = errors;
          if (data20 && typeof data20 == "object" && !Array.isArray(data20)) {
            let missing3;
            if (data20.env === void 0 && (missing3 = "env") || data20.file === void 0 && (missing3 = "file")) {
              const err42 = {};
              if (vErrors === null) {
                vErrors = [err42];
              } else {
                vErrors.push(err42);
              }
              errors++;
            }
          }
          var _valid1 = _errs56 === errors;
          valid11 = valid11 || _valid1;
          const _errs57 = errors;
          if (data20 && typeof data20 == "object" && !Array.isArray(data20)) {
            let missing4;
            if (data20.env === void 0 && (missing4 = "env") || data20.command === void 0 && (missing4 = "command")) {
              const err43 = {};
              if (vErrors === null) {
                vErrors = [err43];
              } else {
                vErrors.push(err43);
              }
              errors++;
            }
          }
          var _valid1 = _errs57 === errors;
          valid11 = valid11 || _valid1;
          const _errs58 = errors;
          if (data20 && typeof data20 == "object" && !Array.isArray(data20)) {
            let missing5;
            if (data20.file === void 0 && (missing5 = "file") || data20.command === void 0 && (missing5 = "command")) {
              const err44 = {};
              if (vErrors === null) {
                vErrors = [err44];
              } else {
                vErrors.push(err44);
              }
              errors++;
            }
          }
          var _valid1 = _errs58 === errors;
          valid11 = valid11 || _valid1;
          if (!valid11) {
            const err45 = {};
            if (vErrors === null) {
              vErrors = [err45];
            } else {
              vErrors.push(err45);
            }
            errors++;
          } else {
            errors = _errs55;
            if (vErrors !== null) {
              if (_errs55) {
                vErrors.length = _errs55;
              } else {
                vErrors = null;
              }
            }
          }
          var valid10 = _errs54 === errors;
          if (valid10) {
            const err46 = { instancePath: instancePath + "/state/password", schemaPath: "#/$defs/secret/not", keyword: "not", params: {}, message: "must NOT be valid", schema: schema32.not, parentSchema: schema32, data: data20 };
            if (vErrors === null) {
              vErrors = [err46];
            } else {
              vErrors.push(err46);
            }
            errors++;
          } else {
            errors = _errs53;
            if (vErrors !== null) {
              if (_errs53) {
                vErrors.length = _errs53;
              } else {
                vErrors = null;
              }
            }
          }
          if (data20 && typeof data20 == "object" && !Array.isArray(data20)) {
            if (Object.keys(data20).length < 1) {
              const err47 = { instancePath: instancePath + "/state/password", schemaPath: "#/$defs/secret/minProperties", keyword: "minProperties", params: { limit: 1 }, message: "must NOT have fewer than 1 properties", schema: 1, parentSchema: schema32, data: data20 };
              if (vErrors === null) {
                vErrors = [err47];
              } else {
                vErrors.push(err47);
              }
              errors++;
            }
            for (const key4 in data20) {
              if (!(key4 === "env" || key4 === "file" || key4 === "command")) {
                const err48 = { instancePath: instancePath + "/state/password", schemaPath: "#/$defs/secret/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key4 }, message: "must NOT have additional properties", schema: false, parentSchema: schema32, data: data20 };
                if (vErrors === null) {
                  vErrors = [err48];
                } else {
                  vErrors.push(err48);
                }
                errors++;
              }
            }
            if (data20.env !== void 0) {
              let data21 = data20.env;
              if (typeof data21 === "string") {
                if (func2(data21) < 1) {
                  const err49 = { instancePath: instancePath + "/state/password/env", schemaPath: "#/$defs/secret/properties/env/minLength", keyword: "minLength", params: { limit: 1 }, message: "must NOT have fewer than 1 characters", schema: 1, parentSchema: schema32.properties.env, data: data21 };
                  if (vErrors === null) {
                    vErrors = [err49];
                  } else {
                    vErrors.push(err49);
                  }
                  errors++;
                }
              } else {
                const err50 = { instancePath: instancePath + "/state/password/env", schemaPath: "#/$defs/secret/properties/env/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema32.properties.env.type, parentSchema: schema32.properties.env, data: data21 };
                if (vErrors === null) {
                  vErrors = [err50];
                } else {
                  vErrors.push(err50);
                }
                errors++;
              }
            }
            if (data20.file !== void 0) {
              let data22 = data20.file;
              if (typeof data22 === "string") {
                if (func2(data22) < 1) {
                  const err51 = { instancePath: instancePath + "/state/password/file", schemaPath: "#/$defs/secret/properties/file/minLength", keyword: "minLength", params: { limit: 1 }, message: "must NOT have fewer than 1 characters", schema: 1, parentSchema: schema32.properties.file, data: data22 };
                  if (vErrors === null) {
                    vErrors = [err51];
                  } else {
                    vErrors.push(err51);
                  }
                  errors++;
                }
              } else {
                const err52 = { instancePath: instancePath + "/state/password/file", schemaPath: "#/$defs/secret/properties/file/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema32.properties.file.type, parentSchema: schema32.properties.file, data: data22 };
                if (vErrors === null) {
                  vErrors = [err52];
                } else {
                  vErrors.push(err52);
                }
                errors++;
              }
            }
            if (data20.command !== void 0) {
              let data23 = data20.command;
              if (Array.isArray(data23)) {
                if (data23.length < 1) {
                  const err53 = { instancePath: instancePath + "/state/password/command", schemaPath: "#/$defs/secret/properties/command/minItems", keyword: "minItems", params: { limit: 1 }, message: "must NOT have fewer than 1 items", schema: 1, parentSchema: schema32.properties.command, data: data23 };
                  if (vErrors === null) {
                    vErrors = [err53];
                  } else {
                    vErrors.push(err53);
                  }
                  errors++;
                }
                const len1 = data23.length;
                for (let i1 = 0; i1 < len1; i1++) {
                  let data24 = data23[i1];
                  if (typeof data24 !== "string") {
                    const err54 = { instancePath: instancePath + "/state/password/command/" + i1, schemaPath: "#/$defs/secret/properties/command/items/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema32.properties.command.items.type, parentSchema: schema32.properties.command.items, data: data24 };
                    if (vErrors === null) {
                      vErrors = [err54];
                    } else {
                      vErrors.push(err54);
                    }
                    errors++;
                  }
                }
              } else {
                const err55 = { instancePath: instancePath + "/state/password/command", schemaPath: "#/$defs/secret/properties/command/type", keyword: "type", params: { type: "array" }, message: "must be array", schema: schema32.properties.command.type, parentSchema: schema32.properties.command, data: data23 };
                if (vErrors === null) {
                  vErrors = [err55];
                } else {
                  vErrors.push(err55);
                }
                errors++;
              }
            }
          } else {
            const err56 = { instancePath: instancePath + "/state/password", schemaPath: "#/$defs/secret/type", keyword: "type", params: { type: "object" }, message: "must be object", schema: schema32.type, parentSchema: schema32, data: data20 };
            if (vErrors === null) {
              vErrors = [err56];
            } else {
              vErrors.push(err56);
            }
            errors++;
          }
        }
        if (data9.headers !== void 0) {
          let data25 = data9.headers;
          if (data25 && typeof data25 == "object" && !Array.isArray(data25)) {
            for (const key5 in data25) {
              let data26 = data25[key5];
              const _errs72 = errors;
              let valid16 = false;
              const _errs73 = errors;
              if (typeof data26 !== "string") {
                const err57 = { instancePath: instancePath + "/state/headers/" + key5.replace(/~/g, "~0").replace(/\//g, "~1"), schemaPath: "#/properties/state/properties/headers/additionalProperties/anyOf/0/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema31.properties.state.properties.headers.additionalProperties.anyOf[0].type, parentSchema: schema31.properties.state.properties.headers.additionalProperties.anyOf[0], data: data26 };
                if (vErrors === null) {
                  vErrors = [err57];
                } else {
                  vErrors.push(err57);
                }
                errors++;
              }
              var _valid2 = _errs73 === errors;
              valid16 = valid16 || _valid2;
              const _errs75 = errors;
              const _errs78 = errors;
              const _errs79 = errors;
              const _errs80 = errors;
              let valid19 = false;
              const _errs81 = errors;
              if (data26 && typeof data26 == "object" && !Array.isArray(data26)) {
                let missing6;
                if (data26.env === void 0 && (missing6 = "env") || data26.file === void 0 && (missing6 = "file")) {
                  const err58 = {};
                  if (vErrors === null) {
                    vErrors = [err58];
                  } else {
                    vErrors.push(err58);
                  }
                  errors++;
                }
              }
              var _valid3 = _errs81 === errors;
              valid19 = valid19 || _valid3;
              const _errs82 = errors;
              if (data26 && typeof data26 == "object" && !Array.isArray(data26)) {
                let missing7;
                if (data26.env === void 0 && (missing7 = "env") || data26.command === void 0 && (missing7 = "command")) {
                  const err59 = {};
                  if (vErrors === null) {
                    vErrors = [err59];
                  } else {
                    vErrors.push(err59);
                  }
                  errors++;
                }
              }
              var _valid3 = _errs82 === errors;
              valid19 = valid19 || _valid3;
              const _errs83 = errors;
              if (data26 && typeof data26 == "object" && !Array.isArray(data26)) {
                let missing8;
                if (data26.file === void 0 && (missing8 = "file") || data26.command === void 0 && (missing8 = "command")) {
                  const err60 = {};
                  if (vErrors === null) {
                    vErrors = [err60];
                  } else {
                    vErrors.push(err60);
                  }
                  errors++;
                }
              }
              var _valid3 = _errs83 === errors;
              valid19 = valid19 || _valid3;
              if (!valid19) {
                const err61 = {};
                if (vErrors === null) {
                  vErrors = [err61];
                } else {
                  vErrors.push(err61);
                }
                errors++;
              } else {
                errors = _errs80;
                if (vErrors !== null) {
                  if (_errs80) {
                    vErrors.length = _errs80;
                  } else {
                    vErrors = null;
                  }
                }
              }
              var valid18 = _errs79 === errors;
              if (valid18) {
                const err62 = { instancePath: instancePath + "/state/headers/" + key5.replace(/~/g, "~0").replace(/\//g, "~1"), schemaPath: "#/$defs/secret/not", keyword: "not", params: {}, message: "must NOT be valid", schema: schema32.not, parentSchema: schema32, data: data26 };
                if (vErrors === null) {
                  vErrors = [err62];
                } else {
                  vErrors.push(err62);
                }
                errors++;
              } else {
                errors = _errs78;
                if (vErrors !== null) {
                  if (_errs78) {
                    vErrors.length = _errs78;
                  } else {
                    vErrors = null;
                  }
                }
              }
              if (data26 && typeof data26 == "object" && !Array.isArray(data26)) {
                if (Object.keys(data26).length < 1) {
                  const err63 = { instancePath: instancePath + "/state/headers/" + key5.replace(/~/g, "~0").replace(/\//g, "~1"), schemaPath: "#/$defs/secret/minProperties", keyword: "minProperties", params: { limit: 1 }, message: "must NOT have fewer than 1 properties", schema: 1, parentSchema: schema32, data: data26 };
                  if (vErrors === null) {
                    vErrors = [err63];
                  } else {
                    vErrors.push(err63);
                  }
                  errors++;
                }
                for (const key6 in data26) {
                  if (!(key6 === "env" || key6 === "file" || key6 === "command")) {
                    const err64 = { instancePath: instancePath + "/state/headers/" + key5.replace(/~/g, "~0").replace(/\//g, "~1"), schemaPath: "#/$defs/secret/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key6 }, message: "must NOT have additional properties", schema: false, parentSchema: schema32, data: data26 };
                    if (vErrors === null) {
                      vErrors = [err64];
                    } else {
                      vErrors.push(err64);
                    }
                    errors++;
                  }
                }
                if (data26.env !== void 0) {
                  let data27 = data26.env;
                  if (typeof data27 === "string") {
                    if (func2(data27) < 1) {
                      const err65 = { instancePath: instancePath + "/state/headers/" + key5.replace(/~/g, "~0").replace(/\//g, "~1") + "/env", schemaPath: "#/$defs/secret/properties/env/minLength", keyword: "minLength", params: { limit: 1 }, message: "must NOT have fewer than 1 characters", schema: 1, parentSchema: schema32.properties.env, data: data27 };
                      if (vErrors === null) {
                        vErrors = [err65];
                      } else {
                        vErrors.push(err65);
                      }
                      errors++;
                    }
                  } else {
                    const err66 = { instancePath: instancePath + "/state/headers/" + key5.replace(/~/g, "~0").replace(/\//g, "~1") + "/env", schemaPath: "#/$defs/secret/properties/env/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema32.properties.env.type, parentSchema: schema32.properties.env, data: data27 };
                    if (vErrors === null) {
                      vErrors = [err66];
                    } else {
                      vErrors.push(err66);
                    }
                    errors++;
                  }
                }
                if (data26.file !== void 0) {
                  let data28 = data26.file;
                  if (typeof data28 === "string") {
                    if (func2(data28) < 1) {
                      const err67 = { instancePath: instancePath + "/state/headers/" + key5.replace(/~/g, "~0").replace(/\//g, "~1") + "/file", schemaPath: "#/$defs/secret/properties/file/minLength", keyword: "minLength", params: { limit: 1 }, message: "must NOT have fewer than 1 characters", schema: 1, parentSchema: schema32.properties.file, data: data28 };
                      if (vErrors === null) {
                        vErrors = [err67];
                      } else {
                        vErrors.push(err67);
                      }
                      errors++;
                    }
                  } else {
                    const err68 = { instancePath: instancePath + "/state/headers/" + key5.replace(/~/g, "~0").replace(/\//g, "~1") + "/file", schemaPath: "#/$defs/secret/properties/file/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema32.properties.file.type, parentSchema: schema32.properties.file, data: data28 };
                    if (vErrors === null) {
                      vErrors = [err68];
                    } else {
                      vErrors.push(err68);
                    }
                    errors++;
                  }
                }
                if (data26.command !== void 0) {
                  let data29 = data26.command;
                  if (Array.isArray(data29)) {
                    if (data29.length < 1) {
                      const err69 = { instancePath: instancePath + "/state/headers/" + key5.replace(/~/g, "~0").replace(/\//g, "~1") + "/command", schemaPath: "#/$defs/secret/properties/command/minItems", keyword: "minItems", params: { limit: 1 }, message: "must NOT have fewer than 1 items", schema: 1, parentSchema: schema32.properties.command, data: data29 };
                      if (vErrors === null) {
                        vErrors = [err69];
                      } else {
                        vErrors.push(err69);
                      }
                      errors++;
                    }
                    const len2 = data29.length;
                    for (let i2 = 0; i2 < len2; i2++) {
                      let data30 = data29[i2];
                      if (typeof data30 !== "string") {
                        const err70 = { instancePath: instancePath + "/state/headers/" + key5.replace(/~/g, "~0").replace(/\//g, "~1") + "/command/" + i2, schemaPath: "#/$defs/secret/properties/command/items/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema32.properties.command.items.type, parentSchema: schema32.properties.command.items, data: data30 };
                        if (vErrors === null) {
                          vErrors = [err70];
                        } else {
                          vErrors.push(err70);
                        }
                        errors++;
                      }
                    }
                  } else {
                    const err71 = { instancePath: instancePath + "/state/headers/" + key5.replace(/~/g, "~0").replace(/\//g, "~1") + "/command", schemaPath: "#/$defs/secret/properties/command/type", keyword: "type", params: { type: "array" }, message: "must be array", schema: schema32.properties.command.type, parentSchema: schema32.properties.command, data: data29 };
                    if (vErrors === null) {
                      vErrors = [err71];
                    } else {
                      vErrors.push(err71);
                    }
                    errors++;
                  }
                }
              } else {
                const err72 = { instancePath: instancePath + "/state/headers/" + key5.replace(/~/g, "~0").replace(/\//g, "~1"), schemaPath: "#/$defs/secret/type", keyword: "type", params: { type: "object" }, message: "must be object", schema: schema32.type, parentSchema: schema32, data: data26 };
                if (vErrors === null) {
                  vErrors = [err72];
                } else {
                  vErrors.push(err72);
                }
                errors++;
              }
              var _valid2 = _errs75 === errors;
              valid16 = valid16 || _valid2;
              if (!valid16) {
                const err73 = { instancePath: instancePath + "/state/headers/" + key5.replace(/~/g, "~0").replace(/\//g, "~1"), schemaPath: "#/properties/state/properties/headers/additionalProperties/anyOf", keyword: "anyOf", params: {}, message: "must match a schema in anyOf", schema: schema31.properties.state.properties.headers.additionalProperties.anyOf, parentSchema: schema31.properties.state.properties.headers.additionalProperties, data: data26 };
                if (vErrors === null) {
                  vErrors = [err73];
                } else {
                  vErrors.push(err73);
                }
                errors++;
              } else {
                errors = _errs72;
                if (vErrors !== null) {
                  if (_errs72) {
                    vErrors.length = _errs72;
                  } else {
                    vErrors = null;
                  }
                }
              }
            }
          } else {
            const err74 = { instancePath: instancePath + "/state/headers", schemaPath: "#/properties/state/properties/headers/type", keyword: "type", params: { type: "object" }, message: "must be object", schema: schema31.properties.state.properties.headers.type, parentSchema: schema31.properties.state.properties.headers, data: data25 };
            if (vErrors === null) {
              vErrors = [err74];
            } else {
              vErrors.push(err74);
            }
            errors++;
          }
        }
        if (data9.retry_max !== void 0) {
          let data31 = data9.retry_max;
          if (!(typeof data31 == "number" && (!(data31 % 1) && !isNaN(data31)) && isFinite(data31))) {
            const err75 = { instancePath: instancePath + "/state/retry_max", schemaPath: "#/properties/state/properties/retry_max/type", keyword: "type", params: { type: "integer" }, message: "must be integer", schema: schema31.properties.state.properties.retry_max.type, parentSchema: schema31.properties.state.properties.retry_max, data: data31 };
            if (vErrors === null) {
              vErrors = [err75];
            } else {
              vErrors.push(err75);
            }
            errors++;
          }
          if (typeof data31 == "number" && isFinite(data31)) {
            if (data31 < 0 || isNaN(data31)) {
              const err76 = { instancePath: instancePath + "/state/retry_max", schemaPath: "#/properties/state/properties/retry_max/minimum", keyword: "minimum", params: { comparison: ">=", limit: 0 }, message: "must be >= 0", schema: 0, parentSchema: schema31.properties.state.properties.retry_max, data: data31 };
              if (vErrors === null) {
                vErrors = [err76];
              } else {
                vErrors.push(err76);
              }
              errors++;
            }
          }
        }
        if (data9.retry_wait_min !== void 0) {
          let data32 = data9.retry_wait_min;
          if (!(typeof data32 == "number" && (!(data32 % 1) && !isNaN(data32)) && isFinite(data32))) {
            const err77 = { instancePath: instancePath + "/state/retry_wait_min", schemaPath: "#/properties/state/properties/retry_wait_min/type", keyword: "type", params: { type: "integer" }, message: "must be integer", schema: schema31.properties.state.properties.retry_wait_min.type, parentSchema: schema31.properties.state.properties.retry_wait_min, data: data32 };
            if (vErrors === null) {
              vErrors = [err77];
            } else {
              vErrors.push(err77);
            }
            errors++;
          }
          if (typeof data32 == "number" && isFinite(data32)) {
            if (data32 < 0 || isNaN(data32)) {
              const err78 = { instancePath: instancePath + "/state/retry_wait_min", schemaPath: "#/properties/state/properties/retry_wait_min/minimum", keyword: "minimum", params: { comparison: ">=", limit: 0 }, message: "must be >= 0", schema: 0, parentSchema: schema31.properties.state.properties.retry_wait_min, data: data32 };
              if (vErrors === null) {
                vErrors = [err78];
              } else {
                vErrors.push(err78);
              }
              errors++;
            }
          }
        }
        if (data9.retry_wait_max !== void 0) {
          let data33 = data9.retry_wait_max;
          if (!(typeof data33 == "number" && (!(data33 % 1) && !isNaN(data33)) && isFinite(data33))) {
            const err79 = { instancePath: instancePath + "/state/retry_wait_max", schemaPath: "#/properties/state/properties/retry_wait_max/type", keyword: "type", params: { type: "integer" }, message: "must be integer", schema: schema31.properties.state.properties.retry_wait_max.type, parentSchema: schema31.properties.state.properties.retry_wait_max, data: data33 };
            if (vErrors === null) {
              vErrors = [err79];
            } else {
              vErrors.push(err79);
            }
            errors++;
          }
          if (typeof data33 == "number" && isFinite(data33)) {
            if (data33 < 0 || isNaN(data33)) {
              const err80 = { instancePath: instancePath + "/state/retry_wait_max", schemaPath: "#/properties/state/properties/retry_wait_max/minimum", keyword: "minimum", params: { comparison: ">=", limit: 0 }, message: "must be >= 0", schema: 0, parentSchema: schema31.properties.state.properties.retry_wait_max, data: data33 };
              if (vErrors === null) {
                vErrors = [err80];
              } else {
                vErrors.push(err80);
              }
              errors++;
            }
          }
        }
        if (data9.bucket !== void 0) {
          let data34 = data9.bucket;
          if (typeof data34 === "string") {
            if (func2(data34) < 1) {
              const err81 = { instancePath: instancePath + "/state/bucket", schemaPath: "#/properties/state/properties/bucket/minLength", keyword: "minLength", params: { limit: 1 }, message: "must NOT have fewer than 1 characters", schema: 1, parentSchema: schema31.properties.state.properties.bucket, data: data34 };
              if (vErrors === null) {
                vErrors = [err81];
              } else {
                vErrors.push(err81);
              }
              errors++;
            }
          } else {
            const err82 = { instancePath: instancePath + "/state/bucket", schemaPath: "#/properties/state/properties/bucket/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema31.properties.state.properties.bucket.type, parentSchema: schema31.properties.state.properties.bucket, data: data34 };
            if (vErrors === null) {
              vErrors = [err82];
            } else {
              vErrors.push(err82);
            }
            errors++;
          }
        }
        if (data9.key !== void 0) {
          let data35 = data9.key;
          if (typeof data35 === "string") {
            if (func2(data35) < 1) {
              const err83 = { instancePath: instancePath + "/state/key", schemaPath: "#/properties/state/properties/key/minLength", keyword: "minLength", params: { limit: 1 }, message: "must NOT have fewer than 1 characters", schema: 1, parentSchema: schema31.properties.state.properties.key, data: data35 };
              if (vErrors === null) {
                vErrors = [err83];
              } else {
                vErrors.push(err83);
              }
              errors++;
            }
          } else {
            const err84 = { instancePath: instancePath + "/state/key", schemaPath: "#/properties/state/properties/key/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema31.properties.state.properties.key.type, parentSchema: schema31.properties.state.properties.key, data: data35 };
            if (vErrors === null) {
              vErrors = [err84];
            } else {
              vErrors.push(err84);
            }
            errors++;
          }
        }
        if (data9.region !== void 0) {
          let data36 = data9.region;
          if (typeof data36 === "string") {
            if (func2(data36) < 1) {
              const err85 = { instancePath: instancePath + "/state/region", schemaPath: "#/properties/state/properties/region/minLength", keyword: "minLength", params: { limit: 1 }, message: "must NOT have fewer than 1 characters", schema: 1, parentSchema: schema31.properties.state.properties.region, data: data36 };
              if (vErrors === null) {
                vErrors = [err85];
              } else {
                vErrors.push(err85);
              }
              errors++;
            }
          } else {
            const err86 = { instancePath: instancePath + "/state/region", schemaPath: "#/properties/state/properties/region/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema31.properties.state.properties.region.type, parentSchema: schema31.properties.state.properties.region, data: data36 };
            if (vErrors === null) {
              vErrors = [err86];
            } else {
              vErrors.push(err86);
            }
            errors++;
          }
        }
        if (data9.endpoint !== void 0) {
          let data37 = data9.endpoint;
          if (typeof data37 === "string") {
            if (func2(data37) < 1) {
              const err87 = { instancePath: instancePath + "/state/endpoint", schemaPath: "#/properties/state/properties/endpoint/minLength", keyword: "minLength", params: { limit: 1 }, message: "must NOT have fewer than 1 characters", schema: 1, parentSchema: schema31.properties.state.properties.endpoint, data: data37 };
              if (vErrors === null) {
                vErrors = [err87];
              } else {
                vErrors.push(err87);
              }
              errors++;
            }
          } else {
            const err88 = { instancePath: instancePath + "/state/endpoint", schemaPath: "#/properties/state/properties/endpoint/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema31.properties.state.properties.endpoint.type, parentSchema: schema31.properties.state.properties.endpoint, data: data37 };
            if (vErrors === null) {
              vErrors = [err88];
            } else {
              vErrors.push(err88);
            }
            errors++;
          }
        }
        if (data9.use_path_style !== void 0) {
          let data38 = data9.use_path_style;
          if (typeof data38 !== "boolean") {
            const err89 = { instancePath: instancePath + "/state/use_path_style", schemaPath: "#/properties/state/properties/use_path_style/type", keyword: "type", params: { type: "boolean" }, message: "must be boolean", schema: schema31.properties.state.properties.use_path_style.type, parentSchema: schema31.properties.state.properties.use_path_style, data: data38 };
            if (vErrors === null) {
              vErrors = [err89];
            } else {
              vErrors.push(err89);
            }
            errors++;
          }
        }
        if (data9.server_side_encryption !== void 0) {
          let data39 = data9.server_side_encryption;
          if (typeof data39 === "string") {
            if (func2(data39) < 1) {
              const err90 = { instancePath: instancePath + "/state/server_side_encryption", schemaPath: "#/properties/state/properties/server_side_encryption/minLength", keyword: "minLength", params: { limit: 1 }, message: "must NOT have fewer than 1 characters", schema: 1, parentSchema: schema31.properties.state.properties.server_side_encryption, data: data39 };
              if (vErrors === null) {
                vErrors = [err90];
              } else {
                vErrors.push(err90);
              }
              errors++;
            }
          } else {
            const err91 = { instancePath: instancePath + "/state/server_side_encryption", schemaPath: "#/properties/state/properties/server_side_encryption/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema31.properties.state.properties.server_side_encryption.type, parentSchema: schema31.properties.state.properties.server_side_encryption, data: data39 };
            if (vErrors === null) {
              vErrors = [err91];
            } else {
              vErrors.push(err91);
            }
            errors++;
          }
        }
        if (data9.kms_key_id !== void 0) {
          let data40 = data9.kms_key_id;
          if (typeof data40 === "string") {
            if (func2(data40) < 1) {
              const err92 = { instancePath: instancePath + "/state/kms_key_id", schemaPath: "#/properties/state/properties/kms_key_id/minLength", keyword: "minLength", params: { limit: 1 }, message: "must NOT have fewer than 1 characters", schema: 1, parentSchema: schema31.properties.state.properties.kms_key_id, data: data40 };
              if (vErrors === null) {
                vErrors = [err92];
              } else {
                vErrors.push(err92);
              }
              errors++;
            }
          } else {
            const err93 = { instancePath: instancePath + "/state/kms_key_id", schemaPath: "#/properties/state/properties/kms_key_id/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema31.properties.state.properties.kms_key_id.type, parentSchema: schema31.properties.state.properties.kms_key_id, data: data40 };
            if (vErrors === null) {
              vErrors = [err93];
            } else {
              vErrors.push(err93);
            }
            errors++;
          }
        }
        if (data9.credentials !== void 0) {
          let data41 = data9.credentials;
          const _errs116 = errors;
          const _errs117 = errors;
          const _errs118 = errors;
          let valid25 = false;
          const _errs119 = errors;
          if (data41 && typeof data41 == "object" && !Array.isArray(data41)) {
            let missing9;
            if (data41.env === void 0 && (missing9 = "env") || data41.file === void 0 && (missing9 = "file")) {
              const err94 = {};
              if (vErrors === null) {
                vErrors = [err94];
              } else {
                vErrors.push(err94);
              }
              errors++;
            }
          }
          var _valid4 = _errs119 === errors;
          valid25 = valid25 || _valid4;
          const _errs120 = errors;
          if (data41 && typeof data41 == "object" && !Array.isArray(data41)) {
            let missing10;
            if (data41.env === void 0 && (missing10 = "env") || data41.command === void 0 && (missing10 = "command")) {
              const err95 = {};
              if (vErrors === null) {
                vErrors = [err95];
              } else {
                vErrors.push(err95);
              }
              errors++;
            }
          }
          var _valid4 = _errs120 === errors;
          valid25 = valid25 || _valid4;
          const _errs121 = errors;
          if (data41 && typeof data41 == "object" && !Array.isArray(data41)) {
            let missing11;
            if (data41.file === void 0 && (missing11 = "file") || data41.command === void 0 && (missing11 = "command")) {
              const err96 = {};
              if (vErrors === null) {
                vErrors = [err96];
              } else {
                vErrors.push(err96);
              }
              errors++;
            }
          }
          var _valid4 = _errs121 === errors;
          valid25 = valid25 || _valid4;
          if (!valid25) {
            const err97 = {};
            if (vErrors === null) {
              vErrors = [err97];
            } else {
              vErrors.push(err97);
            }
            errors++;
          } else {
            errors = _errs118;
            if (vErrors !== null) {
              if (_errs118) {
                vErrors.length = _errs118;
              } else {
                vErrors = null;
              }
            }
          }
          var valid24 = _errs117 === errors;
          if (valid24) {
            const err98 = { instancePath: instancePath + "/state/credentials", schemaPath: "#/$defs/secret/not", keyword: "not", params: {}, message: "must NOT be valid", schema: schema32.not, parentSchema: schema32, data: data41 };
            if (vErrors === null) {
              vErrors = [err98];
            } else {
              vErrors.push(err98);
            }
            errors++;
          } else {
            errors = _errs116;
            if (vErrors !== null) {
              if (_errs116) {
                vErrors.length = _errs116;
              } else {
                vErrors = null;
              }
            }
          }
          if (data41 && typeof data41 == "object" && !Array.isArray(data41)) {
            if (Object.keys(data41).length < 1) {
              const err99 = { instancePath: instancePath + "/state/credentials", schemaPath: "#/$defs/secret/minProperties", keyword: "minProperties", params: { limit: 1 }, message: "must NOT have fewer than 1 properties", schema: 1, parentSchema: schema32, data: data41 };
              if (vErrors === null) {
                vErrors = [err99];
              } else {
                vErrors.push(err99);
              }
              errors++;
            }
            for (const key7 in data41) {
              if (!(key7 === "env" || key7 === "file" || key7 === "command")) {
                const err100 = { instancePath: instancePath + "/state/credentials", schemaPath: "#/$defs/secret/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key7 }, message: "must NOT have additional properties", schema: false, parentSchema: schema32, data: data41 };
                if (vErrors === null) {
                  vErrors = [err100];
                } else {
                  vErrors.push(err100);
                }
                errors++;
              }
            }
            if (data41.env !== void 0) {
              let data42 = data41.env;
              if (typeof data42 === "string") {
                if (func2(data42) < 1) {
                  const err101 = { instancePath: instancePath + "/state/credentials/env", schemaPath: "#/$defs/secret/properties/env/minLength", keyword: "minLength", params: { limit: 1 }, message: "must NOT have fewer than 1 characters", schema: 1, parentSchema: schema32.properties.env, data: data42 };
                  if (vErrors === null) {
                    vErrors = [err101];
                  } else {
                    vErrors.push(err101);
                  }
                  errors++;
                }
              } else {
                const err102 = { instancePath: instancePath + "/state/credentials/env", schemaPath: "#/$defs/secret/properties/env/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema32.properties.env.type, parentSchema: schema32.properties.env, data: data42 };
                if (vErrors === null) {
                  vErrors = [err102];
                } else {
                  vErrors.push(err102);
                }
                errors++;
              }
            }
            if (data41.file !== void 0) {
              let data43 = data41.file;
              if (typeof data43 === "string") {
                if (func2(data43) < 1) {
                  const err103 = { instancePath: instancePath + "/state/credentials/file", schemaPath: "#/$defs/secret/properties/file/minLength", keyword: "minLength", params: { limit: 1 }, message: "must NOT have fewer than 1 characters", schema: 1, parentSchema: schema32.properties.file, data: data43 };
                  if (vErrors === null) {
                    vErrors = [err103];
                  } else {
                    vErrors.push(err103);
                  }
                  errors++;
                }
              } else {
                const err104 = { instancePath: instancePath + "/state/credentials/file", schemaPath: "#/$defs/secret/properties/file/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema32.properties.file.type, parentSchema: schema32.properties.file, data: data43 };
                if (vErrors === null) {
                  vErrors = [err104];
                } else {
                  vErrors.push(err104);
                }
                errors++;
              }
            }
            if (data41.command !== void 0) {
              let data44 = data41.command;
              if (Array.isArray(data44)) {
                if (data44.length < 1) {
                  const err105 = { instancePath: instancePath + "/state/credentials/command", schemaPath: "#/$defs/secret/properties/command/minItems", keyword: "minItems", params: { limit: 1 }, message: "must NOT have fewer than 1 items", schema: 1, parentSchema: schema32.properties.command, data: data44 };
                  if (vErrors === null) {
                    vErrors = [err105];
                  } else {
                    vErrors.push(err105);
                  }
                  errors++;
                }
                const len3 = data44.length;
                for (let i3 = 0; i3 < len3; i3++) {
                  let data45 = data44[i3];
                  if (typeof data45 !== "string") {
                    const err106 = { instancePath: instancePath + "/state/credentials/command/" + i3, schemaPath: "#/$defs/secret/properties/command/items/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema32.properties.command.items.type, parentSchema: schema32.properties.command.items, data: data45 };
                    if (vErrors === null) {
                      vErrors = [err106];
                    } else {
                      vErrors.push(err106);
                    }
                    errors++;
                  }
                }
              } else {
                const err107 = { instancePath: instancePath + "/state/credentials/command", schemaPath: "#/$defs/secret/properties/command/type", keyword: "type", params: { type: "array" }, message: "must be array", schema: schema32.properties.command.type, parentSchema: schema32.properties.command, data: data44 };
                if (vErrors === null) {
                  vErrors = [err107];
                } else {
                  vErrors.push(err107);
                }
                errors++;
              }
            }
          } else {
            const err108 = { instancePath: instancePath + "/state/credentials", schemaPath: "#/$defs/secret/type", keyword: "type", params: { type: "object" }, message: "must be object", schema: schema32.type, parentSchema: schema32, data: data41 };
            if (vErrors === null) {
              vErrors = [err108];
            } else {
              vErrors.push(err108);
            }
            errors++;
          }
        }
        if (data9.url !== void 0) {
          let data46 = data9.url;
          const _errs134 = errors;
          const _errs135 = errors;
          const _errs136 = errors;
          let valid31 = false;
          const _errs137 = errors;
          if (data46 && typeof data46 == "object" && !Array.isArray(data46)) {
            let missing12;
            if (data46.env === void 0 && (missing12 = "env") || data46.file === void 0 && (missing12 = "file")) {
              const err109 = {};
              if (vErrors === null) {
                vErrors = [err109];
              } else {
                vErrors.push(err109);
              }
              errors++;
            }
          }
          var _valid5 = _errs137 === errors;
          valid31 = valid31 || _valid5;
          const _errs138 = errors;
          if (data46 && typeof data46 == "object" && !Array.isArray(data46)) {
            let missing13;
            if (data46.env === void 0 && (missing13 = "env") || data46.command === void 0 && (missing13 = "command")) {
              const err110 = {};
              if (vErrors === null) {
                vErrors = [err110];
              } else {
                vErrors.push(err110);
              }
              errors++;
            }
          }
          var _valid5 = _errs138 === errors;
          valid31 = valid31 || _valid5;
          const _errs139 = errors;
          if (data46 && typeof data46 == "object" && !Array.isArray(data46)) {
            let missing14;
            if (data46.file === void 0 && (missing14 = "file") || data46.command === void 0 && (missing14 = "command")) {
              const err111 = {};
              if (vErrors === null) {
                vErrors = [err111];
              } else {
                vErrors.push(err111);
              }
              errors++;
            }
          }
          var _valid5 = _errs139 === errors;
          valid31 = valid31 || _valid5;
          if (!valid31) {
            const err112 = {};
            if (vErrors === null) {
              vErrors = [err112];
            } else {
              vErrors.push(err112);
            }
            errors++;
          } else {
            errors = _errs136;
            if (vErrors !== null) {
              if (_errs136) {
                vErrors.length = _errs136;
              } else {
                vErrors = null;
              }
            }
          }
          var valid30 = _errs135 === errors;
          if (valid30) {
            const err113 = { instancePath: instancePath + "/state/url", schemaPath: "#/$defs/secret/not", keyword: "not", params: {}, message: "must NOT be valid", schema: schema32.not, parentSchema: schema32, data: data46 };
            if (vErrors === null) {
              vErrors = [err113];
            } else {
              vErrors.push(err113);
            }
            errors++;
          } else {
            errors = _errs134;
            if (vErrors !== null) {
              if (_errs134) {
                vErrors.length = _errs134;
              } else {
                vErrors = null;
              }
            }
          }
          if (data46 && typeof data46 == "object" && !Array.isArray(data46)) {
            if (Object.keys(data46).length < 1) {
              const err114 = { instancePath: instancePath + "/state/url", schemaPath: "#/$defs/secret/minProperties", keyword: "minProperties", params: { limit: 1 }, message: "must NOT have fewer than 1 properties", schema: 1, parentSchema: schema32, data: data46 };
              if (vErrors === null) {
                vErrors = [err114];
              } else {
                vErrors.push(err114);
              }
              errors++;
            }
            for (const key8 in data46) {
              if (!(key8 === "env" || key8 === "file" || key8 === "command")) {
                const err115 = { instancePath: instancePath + "/state/url", schemaPath: "#/$defs/secret/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key8 }, message: "must NOT have additional properties", schema: false, parentSchema: schema32, data: data46 };
                if (vErrors === null) {
                  vErrors = [err115];
                } else {
                  vErrors.push(err115);
                }
                errors++;
              }
            }
            if (data46.env !== void 0) {
              let data47 = data46.env;
              if (typeof data47 === "string") {
                if (func2(data47) < 1) {
                  const err116 = { instancePath: instancePath + "/state/url/env", schemaPath: "#/$defs/secret/properties/env/minLength", keyword: "minLength", params: { limit: 1 }, message: "must NOT have fewer than 1 characters", schema: 1, parentSchema: schema32.properties.env, data: data47 };
                  if (vErrors === null) {
                    vErrors = [err116];
                  } else {
                    vErrors.push(err116);
                  }
                  errors++;
                }
              } else {
                const err117 = { instancePath: instancePath + "/state/url/env", schemaPath: "#/$defs/secret/properties/env/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema32.properties.env.type, parentSchema: schema32.properties.env, data: data47 };
                if (vErrors === null) {
                  vErrors = [err117];
                } else {
                  vErrors.push(err117);
                }
                errors++;
              }
            }
            if (data46.file !== void 0) {
              let data48 = data46.file;
              if (typeof data48 === "string") {
                if (func2(data48) < 1) {
                  const err118 = { instancePath: instancePath + "/state/url/file", schemaPath: "#/$defs/secret/properties/file/minLength", keyword: "minLength", params: { limit: 1 }, message: "must NOT have fewer than 1 characters", schema: 1, parentSchema: schema32.properties.file, data: data48 };
                  if (vErrors === null) {
                    vErrors = [err118];
                  } else {
                    vErrors.push(err118);
                  }
                  errors++;
                }
              } else {
                const err119 = { instancePath: instancePath + "/state/url/file", schemaPath: "#/$defs/secret/properties/file/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema32.properties.file.type, parentSchema: schema32.properties.file, data: data48 };
                if (vErrors === null) {
                  vErrors = [err119];
                } else {
                  vErrors.push(err119);
                }
                errors++;
              }
            }
            if (data46.command !== void 0) {
              let data49 = data46.command;
              if (Array.isArray(data49)) {
                if (data49.length < 1) {
                  const err120 = { instancePath: instancePath + "/state/url/command", schemaPath: "#/$defs/secret/properties/command/minItems", keyword: "minItems", params: { limit: 1 }, message: "must NOT have fewer than 1 items", schema: 1, parentSchema: schema32.properties.command, data: data49 };
                  if (vErrors === null) {
                    vErrors = [err120];
                  } else {
                    vErrors.push(err120);
                  }
                  errors++;
                }
                const len4 = data49.length;
                for (let i4 = 0; i4 < len4; i4++) {
                  let data50 = data49[i4];
                  if (typeof data50 !== "string") {
                    const err121 = { instancePath: instancePath + "/state/url/command/" + i4, schemaPath: "#/$defs/secret/properties/command/items/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema32.properties.command.items.type, parentSchema: schema32.properties.command.items, data: data50 };
                    if (vErrors === null) {
                      vErrors = [err121];
                    } else {
                      vErrors.push(err121);
                    }
                    errors++;
                  }
                }
              } else {
                const err122 = { instancePath: instancePath + "/state/url/command", schemaPath: "#/$defs/secret/properties/command/type", keyword: "type", params: { type: "array" }, message: "must be array", schema: schema32.properties.command.type, parentSchema: schema32.properties.command, data: data49 };
                if (vErrors === null) {
                  vErrors = [err122];
                } else {
                  vErrors.push(err122);
                }
                errors++;
              }
            }
          } else {
            const err123 = { instancePath: instancePath + "/state/url", schemaPath: "#/$defs/secret/type", keyword: "type", params: { type: "object" }, message: "must be object", schema: schema32.type, parentSchema: schema32, data: data46 };
            if (vErrors === null) {
              vErrors = [err123];
            } else {
              vErrors.push(err123);
            }
            errors++;
          }
        }
        if (data9.schema !== void 0) {
          let data51 = data9.schema;
          if (typeof data51 === "string") {
            if (func2(data51) < 1) {
              const err124 = { instancePath: instancePath + "/state/schema", schemaPath: "#/properties/state/properties/schema/minLength", keyword: "minLength", params: { limit: 1 }, message: "must NOT have fewer than 1 characters", schema: 1, parentSchema: schema31.properties.state.properties.schema, data: data51 };
              if (vErrors === null) {
                vErrors = [err124];
              } else {
                vErrors.push(err124);
              }
              errors++;
            }
          } else {
            const err125 = { instancePath: instancePath + "/state/schema", schemaPath: "#/properties/state/properties/schema/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema31.properties.state.properties.schema.type, parentSchema: schema31.properties.state.properties.schema, data: data51 };
            if (vErrors === null) {
              vErrors = [err125];
            } else {
              vErrors.push(err125);
            }
            errors++;
          }
        }
        if (data9.name !== void 0) {
          let data52 = data9.name;
          if (typeof data52 === "string") {
            if (func2(data52) < 1) {
              const err126 = { instancePath: instancePath + "/state/name", schemaPath: "#/properties/state/properties/name/minLength", keyword: "minLength", params: { limit: 1 }, message: "must NOT have fewer than 1 characters", schema: 1, parentSchema: schema31.properties.state.properties.name, data: data52 };
              if (vErrors === null) {
                vErrors = [err126];
              } else {
                vErrors.push(err126);
              }
              errors++;
            }
          } else {
            const err127 = { instancePath: instancePath + "/state/name", schemaPath: "#/properties/state/properties/name/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema31.properties.state.properties.name.type, parentSchema: schema31.properties.state.properties.name, data: data52 };
            if (vErrors === null) {
              vErrors = [err127];
            } else {
              vErrors.push(err127);
            }
            errors++;
          }
        }
      } else {
        const err128 = { instancePath: instancePath + "/state", schemaPath: "#/properties/state/type", keyword: "type", params: { type: "object" }, message: "must be object", schema: schema31.properties.state.type, parentSchema: schema31.properties.state, data: data9 };
        if (vErrors === null) {
          vErrors = [err128];
        } else {
          vErrors.push(err128);
        }
        errors++;
      }
    }
    if (data.variables !== void 0) {
      let data53 = data.variables;
      if (data53 && typeof data53 == "object" && !Array.isArray(data53)) {
        for (const key9 in data53) {
          const _errs155 = errors;
          if (typeof key9 === "string") {
            if (!pattern5.test(key9)) {
              const err129 = { instancePath: instancePath + "/variables", schemaPath: "#/properties/variables/propertyNames/pattern", keyword: "pattern", params: { pattern: "^[\\p{L}_][\\p{L}\\p{N}_-]*$" }, message: 'must match pattern "^[\\p{L}_][\\p{L}\\p{N}_-]*$"', schema: "^[\\p{L}_][\\p{L}\\p{N}_-]*$", parentSchema: schema31.properties.variables.propertyNames, data: key9, propertyName: key9 };
              if (vErrors === null) {
                vErrors = [err129];
              } else {
                vErrors.push(err129);
              }
              errors++;
            }
          }
          var valid35 = _errs155 === errors;
          if (!valid35) {
            const err130 = { instancePath: instancePath + "/variables", schemaPath: "#/properties/variables/propertyNames", keyword: "propertyNames", params: { propertyName: key9 }, message: "property name must be valid", schema: schema31.properties.variables.propertyNames, parentSchema: schema31.properties.variables, data: data53 };
            if (vErrors === null) {
              vErrors = [err130];
            } else {
              vErrors.push(err130);
            }
            errors++;
          }
        }
        for (const key10 in data53) {
          let data54 = data53[key10];
          if (!(data54 && typeof data54 == "object" && !Array.isArray(data54)) && data54 !== null) {
            const err131 = { instancePath: instancePath + "/variables/" + key10.replace(/~/g, "~0").replace(/\//g, "~1"), schemaPath: "#/properties/variables/additionalProperties/type", keyword: "type", params: { type: schema31.properties.variables.additionalProperties.type }, message: "must be object,null", schema: schema31.properties.variables.additionalProperties.type, parentSchema: schema31.properties.variables.additionalProperties, data: data54 };
            if (vErrors === null) {
              vErrors = [err131];
            } else {
              vErrors.push(err131);
            }
            errors++;
          }
          if (data54 && typeof data54 == "object" && !Array.isArray(data54)) {
            for (const key11 in data54) {
              if (!(key11 === "default" || key11 === "allowed" || key11 === "sensitive" || key11 === "description")) {
                const err132 = { instancePath: instancePath + "/variables/" + key10.replace(/~/g, "~0").replace(/\//g, "~1"), schemaPath: "#/properties/variables/additionalProperties/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key11 }, message: "must NOT have additional properties", schema: false, parentSchema: schema31.properties.variables.additionalProperties, data: data54 };
                if (vErrors === null) {
                  vErrors = [err132];
                } else {
                  vErrors.push(err132);
                }
                errors++;
              }
            }
            if (data54.default !== void 0) {
              let data55 = data54.default;
              if (typeof data55 !== "string" && !(typeof data55 == "number" && isFinite(data55)) && typeof data55 !== "boolean") {
                const err133 = { instancePath: instancePath + "/variables/" + key10.replace(/~/g, "~0").replace(/\//g, "~1") + "/default", schemaPath: "#/properties/variables/additionalProperties/properties/default/type", keyword: "type", params: { type: schema31.properties.variables.additionalProperties.properties.default.type }, message: "must be string,number,boolean", schema: schema31.properties.variables.additionalProperties.properties.default.type, parentSchema: schema31.properties.variables.additionalProperties.properties.default, data: data55 };
                if (vErrors === null) {
                  vErrors = [err133];
                } else {
                  vErrors.push(err133);
                }
                errors++;
              }
            }
            if (data54.allowed !== void 0) {
              let data56 = data54.allowed;
              if (Array.isArray(data56)) {
                if (data56.length < 1) {
                  const err134 = { instancePath: instancePath + "/variables/" + key10.replace(/~/g, "~0").replace(/\//g, "~1") + "/allowed", schemaPath: "#/properties/variables/additionalProperties/properties/allowed/minItems", keyword: "minItems", params: { limit: 1 }, message: "must NOT have fewer than 1 items", schema: 1, parentSchema: schema31.properties.variables.additionalProperties.properties.allowed, data: data56 };
                  if (vErrors === null) {
                    vErrors = [err134];
                  } else {
                    vErrors.push(err134);
                  }
                  errors++;
                }
                const len5 = data56.length;
                for (let i5 = 0; i5 < len5; i5++) {
                  let data57 = data56[i5];
                  if (typeof data57 !== "string" && !(typeof data57 == "number" && isFinite(data57)) && typeof data57 !== "boolean") {
                    const err135 = { instancePath: instancePath + "/variables/" + key10.replace(/~/g, "~0").replace(/\//g, "~1") + "/allowed/" + i5, schemaPath: "#/properties/variables/additionalProperties/properties/allowed/items/type", keyword: "type", params: { type: schema31.properties.variables.additionalProperties.properties.allowed.items.type }, message: "must be string,number,boolean", schema: schema31.properties.variables.additionalProperties.properties.allowed.items.type, parentSchema: schema31.properties.variables.additionalProperties.properties.allowed.items, data: data57 };
                    if (vErrors === null) {
                      vErrors = [err135];
                    } else {
                      vErrors.push(err135);
                    }
                    errors++;
                  }
                }
              } else {
                const err136 = { instancePath: instancePath + "/variables/" + key10.replace(/~/g, "~0").replace(/\//g, "~1") + "/allowed", schemaPath: "#/properties/variables/additionalProperties/properties/allowed/type", keyword: "type", params: { type: "array" }, message: "must be array", schema: schema31.properties.variables.additionalProperties.properties.allowed.type, parentSchema: schema31.properties.variables.additionalProperties.properties.allowed, data: data56 };
                if (vErrors === null) {
                  vErrors = [err136];
                } else {
                  vErrors.push(err136);
                }
                errors++;
              }
            }
            if (data54.sensitive !== void 0) {
              let data58 = data54.sensitive;
              if (typeof data58 !== "boolean") {
                const err137 = { instancePath: instancePath + "/variables/" + key10.replace(/~/g, "~0").replace(/\//g, "~1") + "/sensitive", schemaPath: "#/properties/variables/additionalProperties/properties/sensitive/type", keyword: "type", params: { type: "boolean" }, message: "must be boolean", schema: schema31.properties.variables.additionalProperties.properties.sensitive.type, parentSchema: schema31.properties.variables.additionalProperties.properties.sensitive, data: data58 };
                if (vErrors === null) {
                  vErrors = [err137];
                } else {
                  vErrors.push(err137);
                }
                errors++;
              }
            }
            if (data54.description !== void 0) {
              let data59 = data54.description;
              if (typeof data59 !== "string") {
                const err138 = { instancePath: instancePath + "/variables/" + key10.replace(/~/g, "~0").replace(/\//g, "~1") + "/description", schemaPath: "#/properties/variables/additionalProperties/properties/description/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema31.properties.variables.additionalProperties.properties.description.type, parentSchema: schema31.properties.variables.additionalProperties.properties.description, data: data59 };
                if (vErrors === null) {
                  vErrors = [err138];
                } else {
                  vErrors.push(err138);
                }
                errors++;
              }
            }
          }
        }
      } else {
        const err139 = { instancePath: instancePath + "/variables", schemaPath: "#/properties/variables/type", keyword: "type", params: { type: "object" }, message: "must be object", schema: schema31.properties.variables.type, parentSchema: schema31.properties.variables, data: data53 };
        if (vErrors === null) {
          vErrors = [err139];
        } else {
          vErrors.push(err139);
        }
        errors++;
      }
    }
    if (data.data !== void 0) {
      let data60 = data.data;
      if (data60 && typeof data60 == "object" && !Array.isArray(data60)) {
        for (const key12 in data60) {
          if (!(key12 === "campaign" || key12 === "campaigns" || key12 === "schedules" || key12 === "warmup_settings" || key12 === "webhooks")) {
            const err140 = { instancePath: instancePath + "/data", schemaPath: "#/properties/data/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key12 }, message: "must NOT have additional properties", schema: false, parentSchema: schema31.properties.data, data: data60 };
            if (vErrors === null) {
              vErrors = [err140];
            } else {
              vErrors.push(err140);
            }
            errors++;
          }
        }
        if (data60.campaign !== void 0) {
          let data61 = data60.campaign;
          if (data61 && typeof data61 == "object" && !Array.isArray(data61)) {
            for (const key13 in data61) {
              const _errs175 = errors;
              if (typeof key13 === "string") {
                if (!pattern5.test(key13)) {
                  const err141 = { instancePath: instancePath + "/data/campaign", schemaPath: "#/properties/data/properties/campaign/propertyNames/pattern", keyword: "pattern", params: { pattern: "^[\\p{L}_][\\p{L}\\p{N}_-]*$" }, message: 'must match pattern "^[\\p{L}_][\\p{L}\\p{N}_-]*$"', schema: "^[\\p{L}_][\\p{L}\\p{N}_-]*$", parentSchema: schema31.properties.data.properties.campaign.propertyNames, data: key13, propertyName: key13 };
                  if (vErrors === null) {
                    vErrors = [err141];
                  } else {
                    vErrors.push(err141);
                  }
                  errors++;
                }
              }
              var valid41 = _errs175 === errors;
              if (!valid41) {
                const err142 = { instancePath: instancePath + "/data/campaign", schemaPath: "#/properties/data/properties/campaign/propertyNames", keyword: "propertyNames", params: { propertyName: key13 }, message: "property name must be valid", schema: schema31.properties.data.properties.campaign.propertyNames, parentSchema: schema31.properties.data.properties.campaign, data: data61 };
                if (vErrors === null) {
                  vErrors = [err142];
                } else {
                  vErrors.push(err142);
                }
                errors++;
              }
            }
            for (const key14 in data61) {
              let data62 = data61[key14];
              if (data62 && typeof data62 == "object" && !Array.isArray(data62)) {
                for (const key15 in data62) {
                  if (!(key15 === "id" || key15 === "name" || key15 === "status")) {
                    const err143 = { instancePath: instancePath + "/data/campaign/" + key14.replace(/~/g, "~0").replace(/\//g, "~1"), schemaPath: "#/properties/data/properties/campaign/additionalProperties/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key15 }, message: "must NOT have additional properties", schema: false, parentSchema: schema31.properties.data.properties.campaign.additionalProperties, data: data62 };
                    if (vErrors === null) {
                      vErrors = [err143];
                    } else {
                      vErrors.push(err143);
                    }
                    errors++;
                  }
                }
                if (data62.id !== void 0) {
                  let data63 = data62.id;
                  if (typeof data63 !== "string") {
                    const err144 = { instancePath: instancePath + "/data/campaign/" + key14.replace(/~/g, "~0").replace(/\//g, "~1") + "/id", schemaPath: "#/properties/data/properties/campaign/additionalProperties/properties/id/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema31.properties.data.properties.campaign.additionalProperties.properties.id.type, parentSchema: schema31.properties.data.properties.campaign.additionalProperties.properties.id, data: data63 };
                    if (vErrors === null) {
                      vErrors = [err144];
                    } else {
                      vErrors.push(err144);
                    }
                    errors++;
                  }
                }
                if (data62.name !== void 0) {
                  let data64 = data62.name;
                  if (typeof data64 !== "string") {
                    const err145 = { instancePath: instancePath + "/data/campaign/" + key14.replace(/~/g, "~0").replace(/\//g, "~1") + "/name", schemaPath: "#/properties/data/properties/campaign/additionalProperties/properties/name/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema31.properties.data.properties.campaign.additionalProperties.properties.name.type, parentSchema: schema31.properties.data.properties.campaign.additionalProperties.properties.name, data: data64 };
                    if (vErrors === null) {
                      vErrors = [err145];
                    } else {
                      vErrors.push(err145);
                    }
                    errors++;
                  }
                }
                if (data62.status !== void 0) {
                  let data65 = data62.status;
                  const _errs185 = errors;
                  let valid44 = false;
                  const _errs186 = errors;
                  if (!(data65 === "running" || data65 === "paused" || data65 === "draft" || data65 === "ended" || data65 === "archived" || data65 === "errors")) {
                    const err146 = { instancePath: instancePath + "/data/campaign/" + key14.replace(/~/g, "~0").replace(/\//g, "~1") + "/status", schemaPath: "#/properties/data/properties/campaign/additionalProperties/properties/status/anyOf/0/enum", keyword: "enum", params: { allowedValues: schema31.properties.data.properties.campaign.additionalProperties.properties.status.anyOf[0].enum }, message: "must be equal to one of the allowed values", schema: schema31.properties.data.properties.campaign.additionalProperties.properties.status.anyOf[0].enum, parentSchema: schema31.properties.data.properties.campaign.additionalProperties.properties.status.anyOf[0], data: data65 };
                    if (vErrors === null) {
                      vErrors = [err146];
                    } else {
                      vErrors.push(err146);
                    }
                    errors++;
                  }
                  var _valid6 = _errs186 === errors;
                  valid44 = valid44 || _valid6;
                  const _errs187 = errors;
                  if (typeof data65 !== "string") {
                    const err147 = { instancePath: instancePath + "/data/campaign/" + key14.replace(/~/g, "~0").replace(/\//g, "~1") + "/status", schemaPath: "#/properties/data/properties/campaign/additionalProperties/properties/status/anyOf/1/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema31.properties.data.properties.campaign.additionalProperties.properties.status.anyOf[1].type, parentSchema: schema31.properties.data.properties.campaign.additionalProperties.properties.status.anyOf[1], data: data65 };
                    if (vErrors === null) {
                      vErrors = [err147];
                    } else {
                      vErrors.push(err147);
                    }
                    errors++;
                  }
                  var _valid6 = _errs187 === errors;
                  valid44 = valid44 || _valid6;
                  if (!valid44) {
                    const err148 = { instancePath: instancePath + "/data/campaign/" + key14.replace(/~/g, "~0").replace(/\//g, "~1") + "/status", schemaPath: "#/properties/data/properties/campaign/additionalProperties/properties/status/anyOf", keyword: "anyOf", params: {}, message: "must match a schema in anyOf", schema: schema31.properties.data.properties.campaign.additionalProperties.properties.status.anyOf, parentSchema: schema31.properties.data.properties.campaign.additionalProperties.properties.status, data: data65 };
                    if (vErrors === null) {
                      vErrors = [err148];
                    } else {
                      vErrors.push(err148);
                    }
                    errors++;
                  } else {
                    errors = _errs185;
                    if (vErrors !== null) {
                      if (_errs185) {
                        vErrors.length = _errs185;
                      } else {
                        vErrors = null;
                      }
                    }
                  }
                }
              } else {
                const err149 = { instancePath: instancePath + "/data/campaign/" + key14.replace(/~/g, "~0").replace(/\//g, "~1"), schemaPath: "#/properties/data/properties/campaign/additionalProperties/type", keyword: "type", params: { type: "object" }, message: "must be object", schema: schema31.properties.data.properties.campaign.additionalProperties.type, parentSchema: schema31.properties.data.properties.campaign.additionalProperties, data: data62 };
                if (vErrors === null) {
                  vErrors = [err149];
                } else {
                  vErrors.push(err149);
                }
                errors++;
              }
            }
          } else {
            const err150 = { instancePath: instancePath + "/data/campaign", schemaPath: "#/properties/data/properties/campaign/type", keyword: "type", params: { type: "object" }, message: "must be object", schema: schema31.properties.data.properties.campaign.type, parentSchema: schema31.properties.data.properties.campaign, data: data61 };
            if (vErrors === null) {
              vErrors = [err150];
            } else {
              vErrors.push(err150);
            }
            errors++;
          }
        }
        if (data60.campaigns !== void 0) {
          let data66 = data60.campaigns;
          if (data66 && typeof data66 == "object" && !Array.isArray(data66)) {
            for (const key16 in data66) {
              const _errs191 = errors;
              if (typeof key16 === "string") {
                if (!pattern5.test(key16)) {
                  const err151 = { instancePath: instancePath + "/data/campaigns", schemaPath: "#/properties/data/properties/campaigns/propertyNames/pattern", keyword: "pattern", params: { pattern: "^[\\p{L}_][\\p{L}\\p{N}_-]*$" }, message: 'must match pattern "^[\\p{L}_][\\p{L}\\p{N}_-]*$"', schema: "^[\\p{L}_][\\p{L}\\p{N}_-]*$", parentSchema: schema31.properties.data.properties.campaigns.propertyNames, data: key16, propertyName: key16 };
                  if (vErrors === null) {
                    vErrors = [err151];
                  } else {
                    vErrors.push(err151);
                  }
                  errors++;
                }
              }
              var valid45 = _errs191 === errors;
              if (!valid45) {
                const err152 = { instancePath: instancePath + "/data/campaigns", schemaPath: "#/properties/data/properties/campaigns/propertyNames", keyword: "propertyNames", params: { propertyName: key16 }, message: "property name must be valid", schema: schema31.properties.data.properties.campaigns.propertyNames, parentSchema: schema31.properties.data.properties.campaigns, data: data66 };
                if (vErrors === null) {
                  vErrors = [err152];
                } else {
                  vErrors.push(err152);
                }
                errors++;
              }
            }
            for (const key17 in data66) {
              let data67 = data66[key17];
              if (data67 && typeof data67 == "object" && !Array.isArray(data67)) {
                for (const key18 in data67) {
                  if (!(key18 === "status" || key18 === "created_by" || key18 === "labels" || key18 === "name_regex" || key18 === "sort_order")) {
                    const err153 = { instancePath: instancePath + "/data/campaigns/" + key17.replace(/~/g, "~0").replace(/\//g, "~1"), schemaPath: "#/properties/data/properties/campaigns/additionalProperties/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key18 }, message: "must NOT have additional properties", schema: false, parentSchema: schema31.properties.data.properties.campaigns.additionalProperties, data: data67 };
                    if (vErrors === null) {
                      vErrors = [err153];
                    } else {
                      vErrors.push(err153);
                    }
                    errors++;
                  }
                }
                if (data67.status !== void 0) {
                  let data68 = data67.status;
                  const _errs197 = errors;
                  let valid48 = false;
                  const _errs198 = errors;
                  if (!(data68 === "running" || data68 === "paused" || data68 === "draft" || data68 === "ended" || data68 === "archived" || data68 === "errors")) {
                    const err154 = { instancePath: instancePath + "/data/campaigns/" + key17.replace(/~/g, "~0").replace(/\//g, "~1") + "/status", schemaPath: "#/properties/data/properties/campaigns/additionalProperties/properties/status/anyOf/0/enum", keyword: "enum", params: { allowedValues: schema31.properties.data.properties.campaigns.additionalProperties.properties.status.anyOf[0].enum }, message: "must be equal to one of the allowed values", schema: schema31.properties.data.properties.campaigns.additionalProperties.properties.status.anyOf[0].enum, parentSchema: schema31.properties.data.properties.campaigns.additionalProperties.properties.status.anyOf[0], data: data68 };
                    if (vErrors === null) {
                      vErrors = [err154];
                    } else {
                      vErrors.push(err154);
                    }
                    errors++;
                  }
                  var _valid7 = _errs198 === errors;
                  valid48 = valid48 || _valid7;
                  const _errs199 = errors;
                  if (typeof data68 !== "string") {
                    const err155 = { instancePath: instancePath + "/data/campaigns/" + key17.replace(/~/g, "~0").replace(/\//g, "~1") + "/status", schemaPath: "#/properties/data/properties/campaigns/additionalProperties/properties/status/anyOf/1/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema31.properties.data.properties.campaigns.additionalProperties.properties.status.anyOf[1].type, parentSchema: schema31.properties.data.properties.campaigns.additionalProperties.properties.status.anyOf[1], data: data68 };
                    if (vErrors === null) {
                      vErrors = [err155];
                    } else {
                      vErrors.push(err155);
                    }
                    errors++;
                  }
                  var _valid7 = _errs199 === errors;
                  valid48 = valid48 || _valid7;
                  if (!valid48) {
                    const err156 = { instancePath: instancePath + "/data/campaigns/" + key17.replace(/~/g, "~0").replace(/\//g, "~1") + "/status", schemaPath: "#/properties/data/properties/campaigns/additionalProperties/properties/status/anyOf", keyword: "anyOf", params: {}, message: "must match a schema in anyOf", schema: schema31.properties.data.properties.campaigns.additionalProperties.properties.status.anyOf, parentSchema: schema31.properties.data.properties.campaigns.additionalProperties.properties.status, data: data68 };
                    if (vErrors === null) {
                      vErrors = [err156];
                    } else {
                      vErrors.push(err156);
                    }
                    errors++;
                  } else {
                    errors = _errs197;
                    if (vErrors !== null) {
                      if (_errs197) {
                        vErrors.length = _errs197;
                      } else {
                        vErrors = null;
                      }
                    }
                  }
                }
                if (data67.created_by !== void 0) {
                  let data69 = data67.created_by;
                  if (typeof data69 !== "string") {
                    const err157 = { instancePath: instancePath + "/data/campaigns/" + key17.replace(/~/g, "~0").replace(/\//g, "~1") + "/created_by", schemaPath: "#/properties/data/properties/campaigns/additionalProperties/properties/created_by/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema31.properties.data.properties.campaigns.additionalProperties.properties.created_by.type, parentSchema: schema31.properties.data.properties.campaigns.additionalProperties.properties.created_by, data: data69 };
                    if (vErrors === null) {
                      vErrors = [err157];
                    } else {
                      vErrors.push(err157);
                    }
                    errors++;
                  }
                }
                if (data67.labels !== void 0) {
                  let data70 = data67.labels;
                  if (Array.isArray(data70)) {
                    const len6 = data70.length;
                    for (let i6 = 0; i6 < len6; i6++) {
                      let data71 = data70[i6];
                      if (typeof data71 !== "string") {
                        const err158 = { instancePath: instancePath + "/data/campaigns/" + key17.replace(/~/g, "~0").replace(/\//g, "~1") + "/labels/" + i6, schemaPath: "#/properties/data/properties/campaigns/additionalProperties/properties/labels/items/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema31.properties.data.properties.campaigns.additionalProperties.properties.labels.items.type, parentSchema: schema31.properties.data.properties.campaigns.additionalProperties.properties.labels.items, data: data71 };
                        if (vErrors === null) {
                          vErrors = [err158];
                        } else {
                          vErrors.push(err158);
                        }
                        errors++;
                      }
                    }
                  } else {
                    const err159 = { instancePath: instancePath + "/data/campaigns/" + key17.replace(/~/g, "~0").replace(/\//g, "~1") + "/labels", schemaPath: "#/properties/data/properties/campaigns/additionalProperties/properties/labels/type", keyword: "type", params: { type: "array" }, message: "must be array", schema: schema31.properties.data.properties.campaigns.additionalProperties.properties.labels.type, parentSchema: schema31.properties.data.properties.campaigns.additionalProperties.properties.labels, data: data70 };
                    if (vErrors === null) {
                      vErrors = [err159];
                    } else {
                      vErrors.push(err159);
                    }
                    errors++;
                  }
                }
                if (data67.name_regex !== void 0) {
                  let data72 = data67.name_regex;
                  if (typeof data72 !== "string") {
                    const err160 = { instancePath: instancePath + "/data/campaigns/" + key17.replace(/~/g, "~0").replace(/\//g, "~1") + "/name_regex", schemaPath: "#/properties/data/properties/campaigns/additionalProperties/properties/name_regex/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema31.properties.data.properties.campaigns.additionalProperties.properties.name_regex.type, parentSchema: schema31.properties.data.properties.campaigns.additionalProperties.properties.name_regex, data: data72 };
                    if (vErrors === null) {
                      vErrors = [err160];
                    } else {
                      vErrors.push(err160);
                    }
                    errors++;
                  }
                }
                if (data67.sort_order !== void 0) {
                  let data73 = data67.sort_order;
                  const _errs210 = errors;
                  let valid51 = false;
                  const _errs211 = errors;
                  if (!(data73 === "asc" || data73 === "desc")) {
                    const err161 = { instancePath: instancePath + "/data/campaigns/" + key17.replace(/~/g, "~0").replace(/\//g, "~1") + "/sort_order", schemaPath: "#/properties/data/properties/campaigns/additionalProperties/properties/sort_order/anyOf/0/enum", keyword: "enum", params: { allowedValues: schema31.properties.data.properties.campaigns.additionalProperties.properties.sort_order.anyOf[0].enum }, message: "must be equal to one of the allowed values", schema: schema31.properties.data.properties.campaigns.additionalProperties.properties.sort_order.anyOf[0].enum, parentSchema: schema31.properties.data.properties.campaigns.additionalProperties.properties.sort_order.anyOf[0], data: data73 };
                    if (vErrors === null) {
                      vErrors = [err161];
                    } else {
                      vErrors.push(err161);
                    }
                    errors++;
                  }
                  var _valid8 = _errs211 === errors;
                  valid51 = valid51 || _valid8;
                  const _errs212 = errors;
                  if (typeof data73 !== "string") {
                    const err162 = { instancePath: instancePath + "/data/campaigns/" + key17.replace(/~/g, "~0").replace(/\//g, "~1") + "/sort_order", schemaPath: "#/properties/data/properties/campaigns/additionalProperties/properties/sort_order/anyOf/1/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema31.properties.data.properties.campaigns.additionalProperties.properties.sort_order.anyOf[1].type, parentSchema: schema31.properties.data.properties.campaigns.additionalProperties.properties.sort_order.anyOf[1], data: data73 };
                    if (vErrors === null) {
                      vErrors = [err162];
                    } else {
                      vErrors.push(err162);
                    }
                    errors++;
                  }
                  var _valid8 = _errs212 === errors;
                  valid51 = valid51 || _valid8;
                  if (!valid51) {
                    const err163 = { instancePath: instancePath + "/data/campaigns/" + key17.replace(/~/g, "~0").replace(/\//g, "~1") + "/sort_order", schemaPath: "#/properties/data/properties/campaigns/additionalProperties/properties/sort_order/anyOf", keyword: "anyOf", params: {}, message: "must match a schema in anyOf", schema: schema31.properties.data.properties.campaigns.additionalProperties.properties.sort_order.anyOf, parentSchema: schema31.properties.data.properties.campaigns.additionalProperties.properties.sort_order, data: data73 };
                    if (vErrors === null) {
                      vErrors = [err163];
                    } else {
                      vErrors.push(err163);
                    }
                    errors++;
                  } else {
                    errors = _errs210;
                    if (vErrors !== null) {
                      if (_errs210) {
                        vErrors.length = _errs210;
                      } else {
                        vErrors = null;
                      }
                    }
                  }
                }
              } else {
                const err164 = { instancePath: instancePath + "/data/campaigns/" + key17.replace(/~/g, "~0").replace(/\//g, "~1"), schemaPath: "#/properties/data/properties/campaigns/additionalProperties/type", keyword: "type", params: { type: "object" }, message: "must be object", schema: schema31.properties.data.properties.campaigns.additionalProperties.type, parentSchema: schema31.properties.data.properties.campaigns.additionalProperties, data: data67 };
                if (vErrors === null) {
                  vErrors = [err164];
                } else {
                  vErrors.push(err164);
                }
                errors++;
              }
            }
          } else {
            const err165 = { instancePath: instancePath + "/data/campaigns", schemaPath: "#/properties/data/properties/campaigns/type", keyword: "type", params: { type: "object" }, message: "must be object", schema: schema31.properties.data.properties.campaigns.type, parentSchema: schema31.properties.data.properties.campaigns, data: data66 };
            if (vErrors === null) {
              vErrors = [err165];
            } else {
              vErrors.push(err165);
            }
            errors++;
          }
        }
        if (data60.schedules !== void 0) {
          let data74 = data60.schedules;
          if (data74 && typeof data74 == "object" && !Array.isArray(data74)) {
            for (const key19 in data74) {
              const _errs216 = errors;
              if (typeof key19 === "string") {
                if (!pattern5.test(key19)) {
                  const err166 = { instancePath: instancePath + "/data/schedules", schemaPath: "#/properties/data/properties/schedules/propertyNames/pattern", keyword: "pattern", params: { pattern: "^[\\p{L}_][\\p{L}\\p{N}_-]*$" }, message: 'must match pattern "^[\\p{L}_][\\p{L}\\p{N}_-]*$"', schema: "^[\\p{L}_][\\p{L}\\p{N}_-]*$", parentSchema: schema31.properties.data.properties.schedules.propertyNames, data: key19, propertyName: key19 };
                  if (vErrors === null) {
                    vErrors = [err166];
                  } else {
                    vErrors.push(err166);
                  }
                  errors++;
                }
              }
              var valid52 = _errs216 === errors;
              if (!valid52) {
                const err167 = { instancePath: instancePath + "/data/schedules", schemaPath: "#/properties/data/properties/schedules/propertyNames", keyword: "propertyNames", params: { propertyName: key19 }, message: "property name must be valid", schema: schema31.properties.data.properties.schedules.propertyNames, parentSchema: schema31.properties.data.properties.schedules, data: data74 };
                if (vErrors === null) {
                  vErrors = [err167];
                } else {
                  vErrors.push(err167);
                }
                errors++;
              }
            }
            for (const key20 in data74) {
              let data75 = data74[key20];
              if (data75 && typeof data75 == "object" && !Array.isArray(data75)) {
                for (const key21 in data75) {
                  if (!(key21 === "campaign_id" || key21 === "campaign")) {
                    const err168 = { instancePath: instancePath + "/data/schedules/" + key20.replace(/~/g, "~0").replace(/\//g, "~1"), schemaPath: "#/properties/data/properties/schedules/additionalProperties/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key21 }, message: "must NOT have additional properties", schema: false, parentSchema: schema31.properties.data.properties.schedules.additionalProperties, data: data75 };
                    if (vErrors === null) {
                      vErrors = [err168];
                    } else {
                      vErrors.push(err168);
                    }
                    errors++;
                  }
                }
                if (data75.campaign_id !== void 0) {
                  let data76 = data75.campaign_id;
                  if (typeof data76 !== "string") {
                    const err169 = { instancePath: instancePath + "/data/schedules/" + key20.replace(/~/g, "~0").replace(/\//g, "~1") + "/campaign_id", schemaPath: "#/properties/data/properties/schedules/additionalProperties/properties/campaign_id/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema31.properties.data.properties.schedules.additionalProperties.properties.campaign_id.type, parentSchema: schema31.properties.data.properties.schedules.additionalProperties.properties.campaign_id, data: data76 };
                    if (vErrors === null) {
                      vErrors = [err169];
                    } else {
                      vErrors.push(err169);
                    }
                    errors++;
                  }
                }
                if (data75.campaign !== void 0) {
                  let data77 = data75.campaign;
                  if (typeof data77 !== "string") {
                    const err170 = { instancePath: instancePath + "/data/schedules/" + key20.replace(/~/g, "~0").replace(/\//g, "~1") + "/campaign", schemaPath: "#/properties/data/properties/schedules/additionalProperties/properties/campaign/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema31.properties.data.properties.schedules.additionalProperties.properties.campaign.type, parentSchema: schema31.properties.data.properties.schedules.additionalProperties.properties.campaign, data: data77 };
                    if (vErrors === null) {
                      vErrors = [err170];
                    } else {
                      vErrors.push(err170);
                    }
                    errors++;
                  }
                }
              } else {
                const err171 = { instancePath: instancePath + "/data/schedules/" + key20.replace(/~/g, "~0").replace(/\//g, "~1"), schemaPath: "#/properties/data/properties/schedules/additionalProperties/type", keyword: "type", params: { type: "object" }, message: "must be object", schema: schema31.properties.data.properties.schedules.additionalProperties.type, parentSchema: schema31.properties.data.properties.schedules.additionalProperties, data: data75 };
                if (vErrors === null) {
                  vErrors = [err171];
                } else {
                  vErrors.push(err171);
                }
                errors++;
              }
            }
          } else {
            const err172 = { instancePath: instancePath + "/data/schedules", schemaPath: "#/properties/data/properties/schedules/type", keyword: "type", params: { type: "object" }, message: "must be object", schema: schema31.properties.data.properties.schedules.type, parentSchema: schema31.properties.data.properties.schedules, data: data74 };
            if (vErrors === null) {
              vErrors = [err172];
            } else {
              vErrors.push(err172);
            }
            errors++;
          }
        }
        if (data60.warmup_settings !== void 0) {
          let data78 = data60.warmup_settings;
          if (data78 && typeof data78 == "object" && !Array.isArray(data78)) {
            for (const key22 in data78) {
              const _errs227 = errors;
              if (typeof key22 === "string") {
                if (!pattern5.test(key22)) {
                  const err173 = { instancePath: instancePath + "/data/warmup_settings", schemaPath: "#/properties/data/properties/warmup_settings/propertyNames/pattern", keyword: "pattern", params: { pattern: "^[\\p{L}_][\\p{L}\\p{N}_-]*$" }, message: 'must match pattern "^[\\p{L}_][\\p{L}\\p{N}_-]*$"', schema: "^[\\p{L}_][\\p{L}\\p{N}_-]*$", parentSchema: schema31.properties.data.properties.warmup_settings.propertyNames, data: key22, propertyName: key22 };
                  if (vErrors === null) {
                    vErrors = [err173];
                  } else {
                    vErrors.push(err173);
                  }
                  errors++;
                }
              }
              var valid55 = _errs227 === errors;
              if (!valid55) {
                const err174 = { instancePath: instancePath + "/data/warmup_settings", schemaPath: "#/properties/data/properties/warmup_settings/propertyNames", keyword: "propertyNames", params: { propertyName: key22 }, message: "property name must be valid", schema: schema31.properties.data.properties.warmup_settings.propertyNames, parentSchema: schema31.properties.data.properties.warmup_settings, data: data78 };
                if (vErrors === null) {
                  vErrors = [err174];
                } else {
                  vErrors.push(err174);
                }
                errors++;
              }
            }
            for (const key23 in data78) {
              let data79 = data78[key23];
              if (data79 && typeof data79 == "object" && !Array.isArray(data79)) {
                if (data79.user_mailbox_id === void 0) {
                  const err175 = { instancePath: instancePath + "/data/warmup_settings/" + key23.replace(/~/g, "~0").replace(/\//g, "~1"), schemaPath: "#/properties/data/properties/warmup_settings/additionalProperties/required", keyword: "required", params: { missingProperty: "user_mailbox_id" }, message: "must have required property 'user_mailbox_id'", schema: schema31.properties.data.properties.warmup_settings.additionalProperties.required, parentSchema: schema31.properties.data.properties.warmup_settings.additionalProperties, data: data79 };
                  if (vErrors === null) {
                    vErrors = [err175];
                  } else {
                    vErrors.push(err175);
                  }
                  errors++;
                }
                for (const key24 in data79) {
                  if (!(key24 === "user_mailbox_id")) {
                    const err176 = { instancePath: instancePath + "/data/warmup_settings/" + key23.replace(/~/g, "~0").replace(/\//g, "~1"), schemaPath: "#/properties/data/properties/warmup_settings/additionalProperties/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key24 }, message: "must NOT have additional properties", schema: false, parentSchema: schema31.properties.data.properties.warmup_settings.additionalProperties, data: data79 };
                    if (vErrors === null) {
                      vErrors = [err176];
                    } else {
                      vErrors.push(err176);
                    }
                    errors++;
                  }
                }
                if (data79.user_mailbox_id !== void 0) {
                  let data80 = data79.user_mailbox_id;
                  if (typeof data80 !== "string") {
                    const err177 = { instancePath: instancePath + "/data/warmup_settings/" + key23.replace(/~/g, "~0").replace(/\//g, "~1") + "/user_mailbox_id", schemaPath: "#/properties/data/properties/warmup_settings/additionalProperties/properties/user_mailbox_id/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema31.properties.data.properties.warmup_settings.additionalProperties.properties.user_mailbox_id.type, parentSchema: schema31.properties.data.properties.warmup_settings.additionalProperties.properties.user_mailbox_id, data: data80 };
                    if (vErrors === null) {
                      vErrors = [err177];
                    } else {
                      vErrors.push(err177);
                    }
                    errors++;
                  }
                }
              } else {
                const err178 = { instancePath: instancePath + "/data/warmup_settings/" + key23.replace(/~/g, "~0").replace(/\//g, "~1"), schemaPath: "#/properties/data/properties/warmup_settings/additionalProperties/type", keyword: "type", params: { type: "object" }, message: "must be object", schema: schema31.properties.data.properties.warmup_settings.additionalProperties.type, parentSchema: schema31.properties.data.properties.warmup_settings.additionalProperties, data: data79 };
                if (vErrors === null) {
                  vErrors = [err178];
                } else {
                  vErrors.push(err178);
                }
                errors++;
              }
            }
          } else {
            const err179 = { instancePath: instancePath + "/data/warmup_settings", schemaPath: "#/properties/data/properties/warmup_settings/type", keyword: "type", params: { type: "object" }, message: "must be object", schema: schema31.properties.data.properties.warmup_settings.type, parentSchema: schema31.properties.data.properties.warmup_settings, data: data78 };
            if (vErrors === null) {
              vErrors = [err179];
            } else {
              vErrors.push(err179);
            }
            errors++;
          }
        }
        if (data60.webhooks !== void 0) {
          let data81 = data60.webhooks;
          if (data81 && typeof data81 == "object" && !Array.isArray(data81)) {
            for (const key25 in data81) {
              const _errs236 = errors;
              if (typeof key25 === "string") {
                if (!pattern5.test(key25)) {
                  const err180 = { instancePath: instancePath + "/data/webhooks", schemaPath: "#/properties/data/properties/webhooks/propertyNames/pattern", keyword: "pattern", params: { pattern: "^[\\p{L}_][\\p{L}\\p{N}_-]*$" }, message: 'must match pattern "^[\\p{L}_][\\p{L}\\p{N}_-]*$"', schema: "^[\\p{L}_][\\p{L}\\p{N}_-]*$", parentSchema: schema31.properties.data.properties.webhooks.propertyNames, data: key25, propertyName: key25 };
                  if (vErrors === null) {
                    vErrors = [err180];
                  } else {
                    vErrors.push(err180);
                  }
                  errors++;
                }
              }
              var valid58 = _errs236 === errors;
              if (!valid58) {
                const err181 = { instancePath: instancePath + "/data/webhooks", schemaPath: "#/properties/data/properties/webhooks/propertyNames", keyword: "propertyNames", params: { propertyName: key25 }, message: "property name must be valid", schema: schema31.properties.data.properties.webhooks.propertyNames, parentSchema: schema31.properties.data.properties.webhooks, data: data81 };
                if (vErrors === null) {
                  vErrors = [err181];
                } else {
                  vErrors.push(err181);
                }
                errors++;
              }
            }
            for (const key26 in data81) {
              let data82 = data81[key26];
              if (data82 && typeof data82 == "object" && !Array.isArray(data82)) {
                for (const key27 in data82) {
                  const err182 = { instancePath: instancePath + "/data/webhooks/" + key26.replace(/~/g, "~0").replace(/\//g, "~1"), schemaPath: "#/properties/data/properties/webhooks/additionalProperties/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key27 }, message: "must NOT have additional properties", schema: false, parentSchema: schema31.properties.data.properties.webhooks.additionalProperties, data: data82 };
                  if (vErrors === null) {
                    vErrors = [err182];
                  } else {
                    vErrors.push(err182);
                  }
                  errors++;
                }
              } else {
                const err183 = { instancePath: instancePath + "/data/webhooks/" + key26.replace(/~/g, "~0").replace(/\//g, "~1"), schemaPath: "#/properties/data/properties/webhooks/additionalProperties/type", keyword: "type", params: { type: "object" }, message: "must be object", schema: schema31.properties.data.properties.webhooks.additionalProperties.type, parentSchema: schema31.properties.data.properties.webhooks.additionalProperties, data: data82 };
                if (vErrors === null) {
                  vErrors = [err183];
                } else {
                  vErrors.push(err183);
                }
                errors++;
              }
            }
          } else {
            const err184 = { instancePath: instancePath + "/data/webhooks", schemaPath: "#/properties/data/properties/webhooks/type", keyword: "type", params: { type: "object" }, message: "must be object", schema: schema31.properties.data.properties.webhooks.type, parentSchema: schema31.properties.data.properties.webhooks, data: data81 };
            if (vErrors === null) {
              vErrors = [err184];
            } else {
              vErrors.push(err184);
            }
            errors++;
          }
        }
      } else {
        const err185 = { instancePath: instancePath + "/data", schemaPath: "#/properties/data/type", keyword: "type", params: { type: "object" }, message: "must be object", schema: schema31.properties.data.type, parentSchema: schema31.properties.data, data: data60 };
        if (vErrors === null) {
          vErrors = [err185];
        } else {
          vErrors.push(err185);
        }
        errors++;
      }
    }
    if (data.webhooks !== void 0) {
      let data83 = data.webhooks;
      if (data83 && typeof data83 == "object" && !Array.isArray(data83)) {
        for (const key28 in data83) {
          const _errs243 = errors;
          if (typeof key28 === "string") {
            if (!pattern5.test(key28)) {
              const err186 = { instancePath: instancePath + "/webhooks", schemaPath: "#/properties/webhooks/propertyNames/pattern", keyword: "pattern", params: { pattern: "^[\\p{L}_][\\p{L}\\p{N}_-]*$" }, message: 'must match pattern "^[\\p{L}_][\\p{L}\\p{N}_-]*$"', schema: "^[\\p{L}_][\\p{L}\\p{N}_-]*$", parentSchema: schema31.properties.webhooks.propertyNames, data: key28, propertyName: key28 };
              if (vErrors === null) {
                vErrors = [err186];
              } else {
                vErrors.push(err186);
              }
              errors++;
            }
          }
          var valid60 = _errs243 === errors;
          if (!valid60) {
            const err187 = { instancePath: instancePath + "/webhooks", schemaPath: "#/properties/webhooks/propertyNames", keyword: "propertyNames", params: { propertyName: key28 }, message: "property name must be valid", schema: schema31.properties.webhooks.propertyNames, parentSchema: schema31.properties.webhooks, data: data83 };
            if (vErrors === null) {
              vErrors = [err187];
            } else {
              vErrors.push(err187);
            }
            errors++;
          }
        }
        for (const key29 in data83) {
          let data84 = data83[key29];
          if (data84 && typeof data84 == "object" && !Array.isArray(data84)) {
            if (data84.target_url === void 0) {
              const err188 = { instancePath: instancePath + "/webhooks/" + key29.replace(/~/g, "~0").replace(/\//g, "~1"), schemaPath: "#/properties/webhooks/additionalProperties/required", keyword: "required", params: { missingProperty: "target_url" }, message: "must have required property 'target_url'", schema: schema31.properties.webhooks.additionalProperties.required, parentSchema: schema31.properties.webhooks.additionalProperties, data: data84 };
              if (vErrors === null) {
                vErrors = [err188];
              } else {
                vErrors.push(err188);
              }
              errors++;
            }
            for (const key30 in data84) {
              if (!func1.call(schema31.properties.webhooks.additionalProperties.properties, key30)) {
                const err189 = { instancePath: instancePath + "/webhooks/" + key29.replace(/~/g, "~0").replace(/\//g, "~1"), schemaPath: "#/properties/webhooks/additionalProperties/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key30 }, message: "must NOT have additional properties", schema: false, parentSchema: schema31.properties.webhooks.additionalProperties, data: data84 };
                if (vErrors === null) {
                  vErrors = [err189];
                } else {
                  vErrors.push(err189);
                }
                errors++;
              }
            }
            if (data84.target_url !== void 0) {
              let data85 = data84.target_url;
              if (typeof data85 !== "string") {
                const err190 = { instancePath: instancePath + "/webhooks/" + key29.replace(/~/g, "~0").replace(/\//g, "~1") + "/target_url", schemaPath: "#/properties/webhooks/additionalProperties/properties/target_url/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema31.properties.webhooks.additionalProperties.properties.target_url.type, parentSchema: schema31.properties.webhooks.additionalProperties.properties.target_url, data: data85 };
                if (vErrors === null) {
                  vErrors = [err190];
                } else {
                  vErrors.push(err190);
                }
                errors++;
              }
            }
            if (data84.type !== void 0) {
              let data86 = data84.type;
              const _errs251 = errors;
              let valid63 = false;
              const _errs252 = errors;
              if (!(data86 === "contacted" || data86 === "hooked" || data86 === "attracted" || data86 === "warmed" || data86 === "interested" || data86 === "notInterested" || data86 === "emailsSent" || data86 === "emailsOpened" || data86 === "emailsClicked" || data86 === "emailsReplied" || data86 === "emailsBounced" || data86 === "emailsFailed" || data86 === "emailsInterested" || data86 === "emailsNotInterested" || data86 === "emailsUnsubscribed" || data86 === "networkSent" || data86 === "networkOpened" || data86 === "networkReplied" || data86 === "networkInterested" || data86 === "networkNotInterested" || data86 === "networkSendFailed" || data86 === "networkVisitDone" || data86 === "networkVisitFailed" || data86 === "networkFollowDone" || data86 === "networkFollowFailed" || data86 === "networkFollowSkipped" || data86 === "networkInviteDone" || data86 === "networkInviteFailed" || data86 === "networkInviteAccepted" || data86 === "networkEndorseDone" || data86 === "networkEndorseFailed" || data86 === "networkEndorseSkipped" || data86 === "networkVoiceNoteDone" || data86 === "networkVoiceNoteFailed" || data86 === "networkLikeLastPostDone" || data86 === "networkLikeLastPostNoPost" || data86 === "networkLikeLastPostFailed" || data86 === "networkWithdrawInvitationDone" || data86 === "networkWithdrawInvitationFailed" || data86 === "chatMessageSent" || data86 === "chatMessageDelivered" || data86 === "chatMessageOpened" || data86 === "chatReplied" || data86 === "chatMessageFailed" || data86 === "smsSent" || data86 === "smsDelivered" || data86 === "smsReplied" || data86 === "smsFailed" || data86 === "dialerCreated" || data86 === "dialerEnded" || data86 === "dialerDone" || data86 === "dialerInterested" || data86 === "dialerNotInterested" || data86 === "callRecordingDone" || data86 === "callTranscriptDone" || data86 === "apiDone" || data86 === "apiInterested" || data86 === "apiNotInterested" || data86 === "apiFailed" || data86 === "manualInterested" || data86 === "manualNotInterested" || data86 === "annotated" || data86 === "paused" || data86 === "resumed" || data86 === "stopped" || data86 === "campaignComplete" || data86 === "customDomainErrors" || data86 === "connectionIssue" || data86 === "sendLimitReached" || data86 === "warmupPaused" || data86 === "enrichmentDone" || data86 === "enrichmentError" || data86 === "inboxLabelUpdated" || data86 === "signalRegistered" || data86 === "deliverabilityAlertTriggered")) {
                const err191 = { instancePath: instancePath + "/webhooks/" + key29.replace(/~/g, "~0").replace(/\//g, "~1") + "/type", schemaPath: "#/properties/webhooks/additionalProperties/properties/type/anyOf/0/enum", keyword: "enum", params: { allowedValues: schema31.properties.webhooks.additionalProperties.properties.type.anyOf[0].enum }, message: "must be equal to one of the allowed values", schema: schema31.properties.webhooks.additionalProperties.properties.type.anyOf[0].enum, parentSchema: schema31.properties.webhooks.additionalProperties.properties.type.anyOf[0], data: data86 };
                if (vErrors === null) {
                  vErrors = [err191];
                } else {
                  vErrors.push(err191);
                }
                errors++;
              }
              var _valid9 = _errs252 === errors;
              valid63 = valid63 || _valid9;
              const _errs253 = errors;
              if (typeof data86 !== "string") {
                const err192 = { instancePath: instancePath + "/webhooks/" + key29.replace(/~/g, "~0").replace(/\//g, "~1") + "/type", schemaPath: "#/properties/webhooks/additionalProperties/properties/type/anyOf/1/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema31.properties.webhooks.additionalProperties.properties.type.anyOf[1].type, parentSchema: schema31.properties.webhooks.additionalProperties.properties.type.anyOf[1], data: data86 };
                if (vErrors === null) {
                  vErrors = [err192];
                } else {
                  vErrors.push(err192);
                }
                errors++;
              }
              var _valid9 = _errs253 === errors;
              valid63 = valid63 || _valid9;
              if (!valid63) {
                const err193 = { instancePath: instancePath + "/webhooks/" + key29.replace(/~/g, "~0").replace(/\//g, "~1") + "/type", schemaPath: "#/properties/webhooks/additionalProperties/properties/type/anyOf", keyword: "anyOf", params: {}, message: "must match a schema in anyOf", schema: schema31.properties.webhooks.additionalProperties.properties.type.anyOf, parentSchema: schema31.properties.webhooks.additionalProperties.properties.type, data: data86 };
                if (vErrors === null) {
                  vErrors = [err193];
                } else {
                  vErrors.push(err193);
                }
                errors++;
              } else {
                errors = _errs251;
                if (vErrors !== null) {
                  if (_errs251) {
                    vErrors.length = _errs251;
                  } else {
                    vErrors = null;
                  }
                }
              }
            }
            if (data84.types !== void 0) {
              let data87 = data84.types;
              if (Array.isArray(data87)) {
                const len7 = data87.length;
                for (let i7 = 0; i7 < len7; i7++) {
                  let data88 = data87[i7];
                  const _errs258 = errors;
                  let valid66 = false;
                  const _errs259 = errors;
                  if (!(data88 === "contacted" || data88 === "hooked" || data88 === "attracted" || data88 === "warmed" || data88 === "interested" || data88 === "notInterested" || data88 === "emailsSent" || data88 === "emailsOpened" || data88 === "emailsClicked" || data88 === "emailsReplied" || data88 === "emailsBounced" || data88 === "emailsFailed" || data88 === "emailsInterested" || data88 === "emailsNotInterested" || data88 === "emailsUnsubscribed" || data88 === "networkSent" || data88 === "networkOpened" || data88 === "networkReplied" || data88 === "networkInterested" || data88 === "networkNotInterested" || data88 === "networkSendFailed" || data88 === "networkVisitDone" || data88 === "networkVisitFailed" || data88 === "networkFollowDone" || data88 === "networkFollowFailed" || data88 === "networkFollowSkipped" || data88 === "networkInviteDone" || data88 === "networkInviteFailed" || data88 === "networkInviteAccepted" || data88 === "networkEndorseDone" || data88 === "networkEndorseFailed" || data88 === "networkEndorseSkipped" || data88 === "networkVoiceNoteDone" || data88 === "networkVoiceNoteFailed" || data88 === "networkLikeLastPostDone" || data88 === "networkLikeLastPostNoPost" || data88 === "networkLikeLastPostFailed" || data88 === "networkWithdrawInvitationDone" || data88 === "networkWithdrawInvitationFailed" || data88 === "chatMessageSent" || data88 === "chatMessageDelivered" || data88 === "chatMessageOpened" || data88 === "chatReplied" || data88 === "chatMessageFailed" || data88 === "smsSent" || data88 === "smsDelivered" || data88 === "smsReplied" || data88 === "smsFailed" || data88 === "dialerCreated" || data88 === "dialerEnded" || data88 === "dialerDone" || data88 === "dialerInterested" || data88 === "dialerNotInterested" || data88 === "callRecordingDone" || data88 === "callTranscriptDone" || data88 === "apiDone" || data88 === "apiInterested" || data88 === "apiNotInterested" || data88 === "apiFailed" || data88 === "manualInterested" || data88 === "manualNotInterested" || data88 === "annotated" || data88 === "paused" || data88 === "resumed" || data88 === "stopped" || data88 === "campaignComplete" || data88 === "customDomainErrors" || data88 === "connectionIssue" || data88 === "sendLimitReached" || data88 === "warmupPaused" || data88 === "enrichmentDone" || data88 === "enrichmentError" || data88 === "inboxLabelUpdated" || data88 === "signalRegistered" || data88 === "deliverabilityAlertTriggered")) {
                    const err194 = { instancePath: instancePath + "/webhooks/" + key29.replace(/~/g, "~0").replace(/\//g, "~1") + "/types/" + i7, schemaPath: "#/properties/webhooks/additionalProperties/properties/types/items/anyOf/0/enum", keyword: "enum", params: { allowedValues: schema31.properties.webhooks.additionalProperties.properties.types.items.anyOf[0].enum }, message: "must be equal to one of the allowed values", schema: schema31.properties.webhooks.additionalProperties.properties.types.items.anyOf[0].enum, parentSchema: schema31.properties.webhooks.additionalProperties.properties.types.items.anyOf[0], data: data88 };
                    if (vErrors === null) {
                      vErrors = [err194];
                    } else {
                      vErrors.push(err194);
                    }
                    errors++;
                  }
                  var _valid10 = _errs259 === errors;
                  valid66 = valid66 || _valid10;
                  const _errs260 = errors;
                  if (typeof data88 !== "string") {
                    const err195 = { instancePath: instancePath + "/webhooks/" + key29.replace(/~/g, "~0").replace(/\//g, "~1") + "/types/" + i7, schemaPath: "#/properties/webhooks/additionalProperties/properties/types/items/anyOf/1/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema31.properties.webhooks.additionalProperties.properties.types.items.anyOf[1].type, parentSchema: schema31.properties.webhooks.additionalProperties.properties.types.items.anyOf[1], data: data88 };
                    if (vErrors === null) {
                      vErrors = [err195];
                    } else {
                      vErrors.push(err195);
                    }
                    errors++;
                  }
                  var _valid10 = _errs260 === errors;
                  valid66 = valid66 || _valid10;
                  if (!valid66) {
                    const err196 = { instancePath: instancePath + "/webhooks/" + key29.replace(/~/g, "~0").replace(/\//g, "~1") + "/types/" + i7, schemaPath: "#/properties/webhooks/additionalProperties/properties/types/items/anyOf", keyword: "anyOf", params: {}, message: "must match a schema in anyOf", schema: schema31.properties.webhooks.additionalProperties.properties.types.items.anyOf, parentSchema: schema31.properties.webhooks.additionalProperties.properties.types.items, data: data88 };
                    if (vErrors === null) {
                      vErrors = [err196];
                    } else {
                      vErrors.push(err196);
                    }
                    errors++;
                  } else {
                    errors = _errs258;
                    if (vErrors !== null) {
                      if (_errs258) {
                        vErrors.length = _errs258;
                      } else {
                        vErrors = null;
                      }
                    }
                  }
                }
              } else {
                const err197 = { instancePath: instancePath + "/webhooks/" + key29.replace(/~/g, "~0").replace(/\//g, "~1") + "/types", schemaPath: "#/properties/webhooks/additionalProperties/properties/types/type", keyword: "type", params: { type: "array" }, message: "must be array", schema: schema31.properties.webhooks.additionalProperties.properties.types.type, parentSchema: schema31.properties.webhooks.additionalProperties.properties.types, data: data87 };
                if (vErrors === null) {
                  vErrors = [err197];
                } else {
                  vErrors.push(err197);
                }
                errors++;
              }
            }
            if (data84.campaign_id !== void 0) {
              let data89 = data84.campaign_id;
              if (typeof data89 !== "string") {
                const err198 = { instancePath: instancePath + "/webhooks/" + key29.replace(/~/g, "~0").replace(/\//g, "~1") + "/campaign_id", schemaPath: "#/properties/webhooks/additionalProperties/properties/campaign_id/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema31.properties.webhooks.additionalProperties.properties.campaign_id.type, parentSchema: schema31.properties.webhooks.additionalProperties.properties.campaign_id, data: data89 };
                if (vErrors === null) {
                  vErrors = [err198];
                } else {
                  vErrors.push(err198);
                }
                errors++;
              }
            }
            if (data84.campaign !== void 0) {
              let data90 = data84.campaign;
              if (typeof data90 !== "string") {
                const err199 = { instancePath: instancePath + "/webhooks/" + key29.replace(/~/g, "~0").replace(/\//g, "~1") + "/campaign", schemaPath: "#/properties/webhooks/additionalProperties/properties/campaign/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema31.properties.webhooks.additionalProperties.properties.campaign.type, parentSchema: schema31.properties.webhooks.additionalProperties.properties.campaign, data: data90 };
                if (vErrors === null) {
                  vErrors = [err199];
                } else {
                  vErrors.push(err199);
                }
                errors++;
              }
            }
            if (data84.campaigns !== void 0) {
              let data91 = data84.campaigns;
              if (typeof data91 !== "string" && !Array.isArray(data91)) {
                const err200 = { instancePath: instancePath + "/webhooks/" + key29.replace(/~/g, "~0").replace(/\//g, "~1") + "/campaigns", schemaPath: "#/properties/webhooks/additionalProperties/properties/campaigns/type", keyword: "type", params: { type: schema31.properties.webhooks.additionalProperties.properties.campaigns.type }, message: "must be string,array", schema: schema31.properties.webhooks.additionalProperties.properties.campaigns.type, parentSchema: schema31.properties.webhooks.additionalProperties.properties.campaigns, data: data91 };
                if (vErrors === null) {
                  vErrors = [err200];
                } else {
                  vErrors.push(err200);
                }
                errors++;
              }
              if (Array.isArray(data91)) {
                const len8 = data91.length;
                for (let i8 = 0; i8 < len8; i8++) {
                  let data92 = data91[i8];
                  if (typeof data92 !== "string") {
                    const err201 = { instancePath: instancePath + "/webhooks/" + key29.replace(/~/g, "~0").replace(/\//g, "~1") + "/campaigns/" + i8, schemaPath: "#/properties/webhooks/additionalProperties/properties/campaigns/items/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema31.properties.webhooks.additionalProperties.properties.campaigns.items.type, parentSchema: schema31.properties.webhooks.additionalProperties.properties.campaigns.items, data: data92 };
                    if (vErrors === null) {
                      vErrors = [err201];
                    } else {
                      vErrors.push(err201);
                    }
                    errors++;
                  }
                }
              }
            }
            if (data84.is_first !== void 0) {
              let data93 = data84.is_first;
              const _errs271 = errors;
              let valid69 = false;
              const _errs272 = errors;
              if (typeof data93 !== "boolean") {
                const err202 = { instancePath: instancePath + "/webhooks/" + key29.replace(/~/g, "~0").replace(/\//g, "~1") + "/is_first", schemaPath: "#/properties/webhooks/additionalProperties/properties/is_first/anyOf/0/type", keyword: "type", params: { type: "boolean" }, message: "must be boolean", schema: schema31.properties.webhooks.additionalProperties.properties.is_first.anyOf[0].type, parentSchema: schema31.properties.webhooks.additionalProperties.properties.is_first.anyOf[0], data: data93 };
                if (vErrors === null) {
                  vErrors = [err202];
                } else {
                  vErrors.push(err202);
                }
                errors++;
              }
              var _valid11 = _errs272 === errors;
              valid69 = valid69 || _valid11;
              const _errs274 = errors;
              if (typeof data93 === "string") {
                if (!pattern12.test(data93)) {
                  const err203 = { instancePath: instancePath + "/webhooks/" + key29.replace(/~/g, "~0").replace(/\//g, "~1") + "/is_first", schemaPath: "#/properties/webhooks/additionalProperties/properties/is_first/anyOf/1/pattern", keyword: "pattern", params: { pattern: "\\$\\{" }, message: 'must match pattern "\\$\\{"', schema: "\\$\\{", parentSchema: schema31.properties.webhooks.additionalProperties.properties.is_first.anyOf[1], data: data93 };
                  if (vErrors === null) {
                    vErrors = [err203];
                  } else {
                    vErrors.push(err203);
                  }
                  errors++;
                }
              } else {
                const err204 = { instancePath: instancePath + "/webhooks/" + key29.replace(/~/g, "~0").replace(/\//g, "~1") + "/is_first", schemaPath: "#/properties/webhooks/additionalProperties/properties/is_first/anyOf/1/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema31.properties.webhooks.additionalProperties.properties.is_first.anyOf[1].type, parentSchema: schema31.properties.webhooks.additionalProperties.properties.is_first.anyOf[1], data: data93 };
                if (vErrors === null) {
                  vErrors = [err204];
                } else {
                  vErrors.push(err204);
                }
                errors++;
              }
              var _valid11 = _errs274 === errors;
              valid69 = valid69 || _valid11;
              if (!valid69) {
                const err205 = { instancePath: instancePath + "/webhooks/" + key29.replace(/~/g, "~0").replace(/\//g, "~1") + "/is_first", schemaPath: "#/properties/webhooks/additionalProperties/properties/is_first/anyOf", keyword: "anyOf", params: {}, message: "must match a schema in anyOf", schema: schema31.properties.webhooks.additionalProperties.properties.is_first.anyOf, parentSchema: schema31.properties.webhooks.additionalProperties.properties.is_first, data: data93 };
                if (vErrors === null) {
                  vErrors = [err205];
                } else {
                  vErrors.push(err205);
                }
                errors++;
              } else {
                errors = _errs271;
                if (vErrors !== null) {
                  if (_errs271) {
                    vErrors.length = _errs271;
                  } else {
                    vErrors = null;
                  }
                }
              }
            }
            if (data84.automation_id !== void 0) {
              let data94 = data84.automation_id;
              if (typeof data94 !== "string") {
                const err206 = { instancePath: instancePath + "/webhooks/" + key29.replace(/~/g, "~0").replace(/\//g, "~1") + "/automation_id", schemaPath: "#/properties/webhooks/additionalProperties/properties/automation_id/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema31.properties.webhooks.additionalProperties.properties.automation_id.type, parentSchema: schema31.properties.webhooks.additionalProperties.properties.automation_id, data: data94 };
                if (vErrors === null) {
                  vErrors = [err206];
                } else {
                  vErrors.push(err206);
                }
                errors++;
              }
            }
            if (data84.secret !== void 0) {
              let data95 = data84.secret;
              const _errs281 = errors;
              const _errs282 = errors;
              const _errs283 = errors;
              let valid72 = false;
              const _errs284 = errors;
              if (data95 && typeof data95 == "object" && !Array.isArray(data95)) {
                let missing15;
                if (data95.env === void 0 && (missing15 = "env") || data95.file === void 0 && (missing15 = "file")) {
                  const err207 = {};
                  if (vErrors === null) {
                    vErrors = [err207];
                  } else {
                    vErrors.push(err207);
                  }
                  errors++;
                }
              }
              var _valid12 = _errs284 === errors;
              valid72 = valid72 || _valid12;
              const _errs285 = errors;
              if (data95 && typeof data95 == "object" && !Array.isArray(data95)) {
                let missing16;
                if (data95.env === void 0 && (missing16 = "env") || data95.command === void 0 && (missing16 = "command")) {
                  const err208 = {};
                  if (vErrors === null) {
                    vErrors = [err208];
                  } else {
                    vErrors.push(err208);
                  }
                  errors++;
                }
              }
              var _valid12 = _errs285 === errors;
              valid72 = valid72 || _valid12;
              const _errs286 = errors;
              if (data95 && typeof data95 == "object" && !Array.isArray(data95)) {
                let missing17;
                if (data95.file === void 0 && (missing17 = "file") || data95.command === void 0 && (missing17 = "command")) {
                  const err209 = {};
                  if (vErrors === null) {
                    vErrors = [err209];
                  } else {
                    vErrors.push(err209);
                  }
                  errors++;
                }
              }
              var _valid12 = _errs286 === errors;
              valid72 = valid72 || _valid12;
              if (!valid72) {
                const err210 = {};
                if (vErrors === null) {
                  vErrors = [err210];
                } else {
                  vErrors.push(err210);
                }
                errors++;
              } else {
                errors = _errs283;
                if (vErrors !== null) {
                  if (_errs283) {
                    vErrors.length = _errs283;
                  } else {
                    vErrors = null;
                  }
                }
              }
              var valid71 = _errs282 === errors;
              if (valid71) {
                const err211 = { instancePath: instancePath + "/webhooks/" + key29.replace(/~/g, "~0").replace(/\//g, "~1") + "/secret", schemaPath: "#/$defs/secret/not", keyword: "not", params: {}, message: "must NOT be valid", schema: schema32.not, parentSchema: schema32, data: data95 };
                if (vErrors === null) {
                  vErrors = [err211];
                } else {
                  vErrors.push(err211);
                }
                errors++;
              } else {
                errors = _errs281;
                if (vErrors !== null) {
                  if (_errs281) {
                    vErrors.length = _errs281;
                  } else {
                    vErrors = null;
                  }
                }
              }
              if (data95 && typeof data95 == "object" && !Array.isArray(data95)) {
                if (Object.keys(data95).length < 1) {
                  const err212 = { instancePath: instancePath + "/webhooks/" + key29.replace(/~/g, "~0").replace(/\//g, "~1") + "/secret", schemaPath: "#/$defs/secret/minProperties", keyword: "minProperties", params: { limit: 1 }, message: "must NOT have fewer than 1 properties", schema: 1, parentSchema: schema32, data: data95 };
                  if (vErrors === null) {
                    vErrors = [err212];
                  } else {
                    vErrors.push(err212);
                  }
                  errors++;
                }
                for (const key31 in data95) {
                  if (!(key31 === "env" || key31 === "file" || key31 === "command")) {
                    const err213 = { instancePath: instancePath + "/webhooks/" + key29.replace(/~/g, "~0").replace(/\//g, "~1") + "/secret", schemaPath: "#/$defs/secret/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key31 }, message: "must NOT have additional properties", schema: false, parentSchema: schema32, data: data95 };
                    if (vErrors === null) {
                      vErrors = [err213];
                    } else {
                      vErrors.push(err213);
                    }
                    errors++;
                  }
                }
                if (data95.env !== void 0) {
                  let data96 = data95.env;
                  if (typeof data96 === "string") {
                    if (func2(data96) < 1) {
                      const err214 = { instancePath: instancePath + "/webhooks/" + key29.replace(/~/g, "~0").replace(/\//g, "~1") + "/secret/env", schemaPath: "#/$defs/secret/properties/env/minLength", keyword: "minLength", params: { limit: 1 }, message: "must NOT have fewer than 1 characters", schema: 1, parentSchema: schema32.properties.env, data: data96 };
                      if (vErrors === null) {
                        vErrors = [err214];
                      } else {
                        vErrors.push(err214);
                      }
                      errors++;
                    }
                  } else {
                    const err215 = { instancePath: instancePath + "/webhooks/" + key29.replace(/~/g, "~0").replace(/\//g, "~1") + "/secret/env", schemaPath: "#/$defs/secret/properties/env/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema32.properties.env.type, parentSchema: schema32.properties.env, data: data96 };
                    if (vErrors === null) {
                      vErrors = [err215];
                    } else {
                      vErrors.push(err215);
                    }
                    errors++;
                  }
                }
                if (data95.file !== void 0) {
                  let data97 = data95.file;
                  if (typeof data97 === "string") {
                    if (func2(data97) < 1) {
                      const err216 = { instancePath: instancePath + "/webhooks/" + key29.replace(/~/g, "~0").replace(/\//g, "~1") + "/secret/file", schemaPath: "#/$defs/secret/properties/file/minLength", keyword: "minLength", params: { limit: 1 }, message: "must NOT have fewer than 1 characters", schema: 1, parentSchema: schema32.properties.file, data: data97 };
                      if (vErrors === null) {
                        vErrors = [err216];
                      } else {
                        vErrors.push(err216);
                      }
                      errors++;
                    }
                  } else {
                    const err217 = { instancePath: instancePath + "/webhooks/" + key29.replace(/~/g, "~0").replace(/\//g, "~1") + "/secret/file", schemaPath: "#/$defs/secret/properties/file/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema32.properties.file.type, parentSchema: schema32.properties.file, data: data97 };
                    if (vErrors === null) {
                      vErrors = [err217];
                    } else {
                      vErrors.push(err217);
                    }
                    errors++;
                  }
                }
                if (data95.command !== void 0) {
                  let data98 = data95.command;
                  if (Array.isArray(data98)) {
                    if (data98.length < 1) {
                      const err218 = { instancePath: instancePath + "/webhooks/" + key29.replace(/~/g, "~0").replace(/\//g, "~1") + "/secret/command", schemaPath: "#/$defs/secret/properties/command/minItems", keyword: "minItems", params: { limit: 1 }, message: "must NOT have fewer than 1 items", schema: 1, parentSchema: schema32.properties.command, data: data98 };
                      if (vErrors === null) {
                        vErrors = [err218];
                      } else {
                        vErrors.push(err218);
                      }
                      errors++;
                    }
                    const len9 = data98.length;
                    for (let i9 = 0; i9 < len9; i9++) {
                      let data99 = data98[i9];
                      if (typeof data99 !== "string") {
                        const err219 = { instancePath: instancePath + "/webhooks/" + key29.replace(/~/g, "~0").replace(/\//g, "~1") + "/secret/command/" + i9, schemaPath: "#/$defs/secret/properties/command/items/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema32.properties.command.items.type, parentSchema: schema32.properties.command.items, data: data99 };
                        if (vErrors === null) {
                          vErrors = [err219];
                        } else {
                          vErrors.push(err219);
                        }
                        errors++;
                      }
                    }
                  } else {
                    const err220 = { instancePath: instancePath + "/webhooks/" + key29.replace(/~/g, "~0").replace(/\//g, "~1") + "/secret/command", schemaPath: "#/$defs/secret/properties/command/type", keyword: "type", params: { type: "array" }, message: "must be array", schema: schema32.properties.command.type, parentSchema: schema32.properties.command, data: data98 };
                    if (vErrors === null) {
                      vErrors = [err220];
                    } else {
                      vErrors.push(err220);
                    }
                    errors++;
                  }
                }
              } else {
                const err221 = { instancePath: instancePath + "/webhooks/" + key29.replace(/~/g, "~0").replace(/\//g, "~1") + "/secret", schemaPath: "#/$defs/secret/type", keyword: "type", params: { type: "object" }, message: "must be object", schema: schema32.type, parentSchema: schema32, data: data95 };
                if (vErrors === null) {
                  vErrors = [err221];
                } else {
                  vErrors.push(err221);
                }
                errors++;
              }
            }
            if (data84.allow_duplicate !== void 0) {
              let data100 = data84.allow_duplicate;
              const _errs297 = errors;
              let valid76 = false;
              const _errs298 = errors;
              if (typeof data100 !== "boolean") {
                const err222 = { instancePath: instancePath + "/webhooks/" + key29.replace(/~/g, "~0").replace(/\//g, "~1") + "/allow_duplicate", schemaPath: "#/properties/webhooks/additionalProperties/properties/allow_duplicate/anyOf/0/type", keyword: "type", params: { type: "boolean" }, message: "must be boolean", schema: schema31.properties.webhooks.additionalProperties.properties.allow_duplicate.anyOf[0].type, parentSchema: schema31.properties.webhooks.additionalProperties.properties.allow_duplicate.anyOf[0], data: data100 };
                if (vErrors === null) {
                  vErrors = [err222];
                } else {
                  vErrors.push(err222);
                }
                errors++;
              }
              var _valid13 = _errs298 === errors;
              valid76 = valid76 || _valid13;
              const _errs300 = errors;
              if (typeof data100 === "string") {
                if (!pattern12.test(data100)) {
                  const err223 = { instancePath: instancePath + "/webhooks/" + key29.replace(/~/g, "~0").replace(/\//g, "~1") + "/allow_duplicate", schemaPath: "#/properties/webhooks/additionalProperties/properties/allow_duplicate/anyOf/1/pattern", keyword: "pattern", params: { pattern: "\\$\\{" }, message: 'must match pattern "\\$\\{"', schema: "\\$\\{", parentSchema: schema31.properties.webhooks.additionalProperties.properties.allow_duplicate.anyOf[1], data: data100 };
                  if (vErrors === null) {
                    vErrors = [err223];
                  } else {
                    vErrors.push(err223);
                  }
                  errors++;
                }
              } else {
                const err224 = { instancePath: instancePath + "/webhooks/" + key29.replace(/~/g, "~0").replace(/\//g, "~1") + "/allow_duplicate", schemaPath: "#/properties/webhooks/additionalProperties/properties/allow_duplicate/anyOf/1/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema31.properties.webhooks.additionalProperties.properties.allow_duplicate.anyOf[1].type, parentSchema: schema31.properties.webhooks.additionalProperties.properties.allow_duplicate.anyOf[1], data: data100 };
                if (vErrors === null) {
                  vErrors = [err224];
                } else {
                  vErrors.push(err224);
                }
                errors++;
              }
              var _valid13 = _errs300 === errors;
              valid76 = valid76 || _valid13;
              if (!valid76) {
                const err225 = { instancePath: instancePath + "/webhooks/" + key29.replace(/~/g, "~0").replace(/\//g, "~1") + "/allow_duplicate", schemaPath: "#/properties/webhooks/additionalProperties/properties/allow_duplicate/anyOf", keyword: "anyOf", params: {}, message: "must match a schema in anyOf", schema: schema31.properties.webhooks.additionalProperties.properties.allow_duplicate.anyOf, parentSchema: schema31.properties.webhooks.additionalProperties.properties.allow_duplicate, data: data100 };
                if (vErrors === null) {
                  vErrors = [err225];
                } else {
                  vErrors.push(err225);
                }
                errors++;
              } else {
                errors = _errs297;
                if (vErrors !== null) {
                  if (_errs297) {
                    vErrors.length = _errs297;
                  } else {
                    vErrors = null;
                  }
                }
              }
            }
            if (data84.rotation !== void 0) {
              let data101 = data84.rotation;
              const _errs303 = errors;
              let valid77 = false;
              const _errs304 = errors;
              if (!(data101 === "delete_first" || data101 === "create_first")) {
                const err226 = { instancePath: instancePath + "/webhooks/" + key29.replace(/~/g, "~0").replace(/\//g, "~1") + "/rotation", schemaPath: "#/properties/webhooks/additionalProperties/properties/rotation/anyOf/0/enum", keyword: "enum", params: { allowedValues: schema31.properties.webhooks.additionalProperties.properties.rotation.anyOf[0].enum }, message: "must be equal to one of the allowed values", schema: schema31.properties.webhooks.additionalProperties.properties.rotation.anyOf[0].enum, parentSchema: schema31.properties.webhooks.additionalProperties.properties.rotation.anyOf[0], data: data101 };
                if (vErrors === null) {
                  vErrors = [err226];
                } else {
                  vErrors.push(err226);
                }
                errors++;
              }
              var _valid14 = _errs304 === errors;
              valid77 = valid77 || _valid14;
              const _errs305 = errors;
              if (typeof data101 !== "string") {
                const err227 = { instancePath: instancePath + "/webhooks/" + key29.replace(/~/g, "~0").replace(/\//g, "~1") + "/rotation", schemaPath: "#/properties/webhooks/additionalProperties/properties/rotation/anyOf/1/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema31.properties.webhooks.additionalProperties.properties.rotation.anyOf[1].type, parentSchema: schema31.properties.webhooks.additionalProperties.properties.rotation.anyOf[1], data: data101 };
                if (vErrors === null) {
                  vErrors = [err227];
                } else {
                  vErrors.push(err227);
                }
                errors++;
              }
              var _valid14 = _errs305 === errors;
              valid77 = valid77 || _valid14;
              if (!valid77) {
                const err228 = { instancePath: instancePath + "/webhooks/" + key29.replace(/~/g, "~0").replace(/\//g, "~1") + "/rotation", schemaPath: "#/properties/webhooks/additionalProperties/properties/rotation/anyOf", keyword: "anyOf", params: {}, message: "must match a schema in anyOf", schema: schema31.properties.webhooks.additionalProperties.properties.rotation.anyOf, parentSchema: schema31.properties.webhooks.additionalProperties.properties.rotation, data: data101 };
                if (vErrors === null) {
                  vErrors = [err228];
                } else {
                  vErrors.push(err228);
                }
                errors++;
              } else {
                errors = _errs303;
                if (vErrors !== null) {
                  if (_errs303) {
                    vErrors.length = _errs303;
                  } else {
                    vErrors = null;
                  }
                }
              }
            }
            if (data84.protect !== void 0) {
              let data102 = data84.protect;
              const _errs308 = errors;
              let valid78 = false;
              const _errs309 = errors;
              if (typeof data102 !== "boolean") {
                const err229 = { instancePath: instancePath + "/webhooks/" + key29.replace(/~/g, "~0").replace(/\//g, "~1") + "/protect", schemaPath: "#/properties/webhooks/additionalProperties/properties/protect/anyOf/0/type", keyword: "type", params: { type: "boolean" }, message: "must be boolean", schema: schema31.properties.webhooks.additionalProperties.properties.protect.anyOf[0].type, parentSchema: schema31.properties.webhooks.additionalProperties.properties.protect.anyOf[0], data: data102 };
                if (vErrors === null) {
                  vErrors = [err229];
                } else {
                  vErrors.push(err229);
                }
                errors++;
              }
              var _valid15 = _errs309 === errors;
              valid78 = valid78 || _valid15;
              const _errs311 = errors;
              if (typeof data102 === "string") {
                if (!pattern12.test(data102)) {
                  const err230 = { instancePath: instancePath + "/webhooks/" + key29.replace(/~/g, "~0").replace(/\//g, "~1") + "/protect", schemaPath: "#/properties/webhooks/additionalProperties/properties/protect/anyOf/1/pattern", keyword: "pattern", params: { pattern: "\\$\\{" }, message: 'must match pattern "\\$\\{"', schema: "\\$\\{", parentSchema: schema31.properties.webhooks.additionalProperties.properties.protect.anyOf[1], data: data102 };
                  if (vErrors === null) {
                    vErrors = [err230];
                  } else {
                    vErrors.push(err230);
                  }
                  errors++;
                }
              } else {
                const err231 = { instancePath: instancePath + "/webhooks/" + key29.replace(/~/g, "~0").replace(/\//g, "~1") + "/protect", schemaPath: "#/properties/webhooks/additionalProperties/properties/protect/anyOf/1/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema31.properties.webhooks.additionalProperties.properties.protect.anyOf[1].type, parentSchema: schema31.properties.webhooks.additionalProperties.properties.protect.anyOf[1], data: data102 };
                if (vErrors === null) {
                  vErrors = [err231];
                } else {
                  vErrors.push(err231);
                }
                errors++;
              }
              var _valid15 = _errs311 === errors;
              valid78 = valid78 || _valid15;
              if (!valid78) {
                const err232 = { instancePath: instancePath + "/webhooks/" + key29.replace(/~/g, "~0").replace(/\//g, "~1") + "/protect", schemaPath: "#/properties/webhooks/additionalProperties/properties/protect/anyOf", keyword: "anyOf", params: {}, message: "must match a schema in anyOf", schema: schema31.properties.webhooks.additionalProperties.properties.protect.anyOf, parentSchema: schema31.properties.webhooks.additionalProperties.properties.protect, data: data102 };
                if (vErrors === null) {
                  vErrors = [err232];
                } else {
                  vErrors.push(err232);
                }
                errors++;
              } else {
                errors = _errs308;
                if (vErrors !== null) {
                  if (_errs308) {
                    vErrors.length = _errs308;
                  } else {
                    vErrors = null;
                  }
                }
              }
            }
            if (data84.allow_empty !== void 0) {
              let data103 = data84.allow_empty;
              if (typeof data103 !== "boolean") {
                const err233 = { instancePath: instancePath + "/webhooks/" + key29.replace(/~/g, "~0").replace(/\//g, "~1") + "/allow_empty", schemaPath: "#/properties/webhooks/additionalProperties/properties/allow_empty/type", keyword: "type", params: { type: "boolean" }, message: "must be boolean", schema: schema31.properties.webhooks.additionalProperties.properties.allow_empty.type, parentSchema: schema31.properties.webhooks.additionalProperties.properties.allow_empty, data: data103 };
                if (vErrors === null) {
                  vErrors = [err233];
                } else {
                  vErrors.push(err233);
                }
                errors++;
              }
            }
            if (data84.prune !== void 0) {
              let data104 = data84.prune;
              if (typeof data104 !== "boolean") {
                const err234 = { instancePath: instancePath + "/webhooks/" + key29.replace(/~/g, "~0").replace(/\//g, "~1") + "/prune", schemaPath: "#/properties/webhooks/additionalProperties/properties/prune/type", keyword: "type", params: { type: "boolean" }, message: "must be boolean", schema: schema31.properties.webhooks.additionalProperties.properties.prune.type, parentSchema: schema31.properties.webhooks.additionalProperties.properties.prune, data: data104 };
                if (vErrors === null) {
                  vErrors = [err234];
                } else {
                  vErrors.push(err234);
                }
                errors++;
              }
            }
          } else {
            const err235 = { instancePath: instancePath + "/webhooks/" + key29.replace(/~/g, "~0").replace(/\//g, "~1"), schemaPath: "#/properties/webhooks/additionalProperties/type", keyword: "type", params: { type: "object" }, message: "must be object", schema: schema31.properties.webhooks.additionalProperties.type, parentSchema: schema31.properties.webhooks.additionalProperties, data: data84 };
            if (vErrors === null) {
              vErrors = [err235];
            } else {
              vErrors.push(err235);
            }
            errors++;
          }
        }
      } else {
        const err236 = { instancePath: instancePath + "/webhooks", schemaPath: "#/properties/webhooks/type", keyword: "type", params: { type: "object" }, message: "must be object", schema: schema31.properties.webhooks.type, parentSchema: schema31.properties.webhooks, data: data83 };
        if (vErrors === null) {
          vErrors = [err236];
        } else {
          vErrors.push(err236);
        }
        errors++;
      }
    }
    if (data.lead_unsubscriptions !== void 0) {
      let data105 = data.lead_unsubscriptions;
      if (data105 && typeof data105 == "object" && !Array.isArray(data105)) {
        for (const key32 in data105) {
          const _errs319 = errors;
          if (typeof key32 === "string") {
            if (!pattern5.test(key32)) {
              const err237 = { instancePath: instancePath + "/lead_unsubscriptions", schemaPath: "#/properties/lead_unsubscriptions/propertyNames/pattern", keyword: "pattern", params: { pattern: "^[\\p{L}_][\\p{L}\\p{N}_-]*$" }, message: 'must match pattern "^[\\p{L}_][\\p{L}\\p{N}_-]*$"', schema: "^[\\p{L}_][\\p{L}\\p{N}_-]*$", parentSchema: schema31.properties.lead_unsubscriptions.propertyNames, data: key32, propertyName: key32 };
              if (vErrors === null) {
                vErrors = [err237];
              } else {
                vErrors.push(err237);
              }
              errors++;
            }
          }
          var valid79 = _errs319 === errors;
          if (!valid79) {
            const err238 = { instancePath: instancePath + "/lead_unsubscriptions", schemaPath: "#/properties/lead_unsubscriptions/propertyNames", keyword: "propertyNames", params: { propertyName: key32 }, message: "property name must be valid", schema: schema31.properties.lead_unsubscriptions.propertyNames, parentSchema: schema31.properties.lead_unsubscriptions, data: data105 };
            if (vErrors === null) {
              vErrors = [err238];
            } else {
              vErrors.push(err238);
            }
            errors++;
          }
        }
        for (const key33 in data105) {
          let data106 = data105[key33];
          if (data106 && typeof data106 == "object" && !Array.isArray(data106)) {
            for (const key34 in data106) {
              if (!func1.call(schema31.properties.lead_unsubscriptions.additionalProperties.properties, key34)) {
                const err239 = { instancePath: instancePath + "/lead_unsubscriptions/" + key33.replace(/~/g, "~0").replace(/\//g, "~1"), schemaPath: "#/properties/lead_unsubscriptions/additionalProperties/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key34 }, message: "must NOT have additional properties", schema: false, parentSchema: schema31.properties.lead_unsubscriptions.additionalProperties, data: data106 };
                if (vErrors === null) {
                  vErrors = [err239];
                } else {
                  vErrors.push(err239);
                }
                errors++;
              }
            }
            if (data106.campaign_id !== void 0) {
              let data107 = data106.campaign_id;
              if (typeof data107 !== "string") {
                const err240 = { instancePath: instancePath + "/lead_unsubscriptions/" + key33.replace(/~/g, "~0").replace(/\//g, "~1") + "/campaign_id", schemaPath: "#/properties/lead_unsubscriptions/additionalProperties/properties/campaign_id/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema31.properties.lead_unsubscriptions.additionalProperties.properties.campaign_id.type, parentSchema: schema31.properties.lead_unsubscriptions.additionalProperties.properties.campaign_id, data: data107 };
                if (vErrors === null) {
                  vErrors = [err240];
                } else {
                  vErrors.push(err240);
                }
                errors++;
              }
            }
            if (data106.campaign !== void 0) {
              let data108 = data106.campaign;
              if (typeof data108 !== "string") {
                const err241 = { instancePath: instancePath + "/lead_unsubscriptions/" + key33.replace(/~/g, "~0").replace(/\//g, "~1") + "/campaign", schemaPath: "#/properties/lead_unsubscriptions/additionalProperties/properties/campaign/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema31.properties.lead_unsubscriptions.additionalProperties.properties.campaign.type, parentSchema: schema31.properties.lead_unsubscriptions.additionalProperties.properties.campaign, data: data108 };
                if (vErrors === null) {
                  vErrors = [err241];
                } else {
                  vErrors.push(err241);
                }
                errors++;
              }
            }
            if (data106.campaigns !== void 0) {
              let data109 = data106.campaigns;
              if (typeof data109 !== "string" && !Array.isArray(data109)) {
                const err242 = { instancePath: instancePath + "/lead_unsubscriptions/" + key33.replace(/~/g, "~0").replace(/\//g, "~1") + "/campaigns", schemaPath: "#/properties/lead_unsubscriptions/additionalProperties/properties/campaigns/type", keyword: "type", params: { type: schema31.properties.lead_unsubscriptions.additionalProperties.properties.campaigns.type }, message: "must be string,array", schema: schema31.properties.lead_unsubscriptions.additionalProperties.properties.campaigns.type, parentSchema: schema31.properties.lead_unsubscriptions.additionalProperties.properties.campaigns, data: data109 };
                if (vErrors === null) {
                  vErrors = [err242];
                } else {
                  vErrors.push(err242);
                }
                errors++;
              }
              if (Array.isArray(data109)) {
                const len10 = data109.length;
                for (let i10 = 0; i10 < len10; i10++) {
                  let data110 = data109[i10];
                  if (typeof data110 !== "string") {
                    const err243 = { instancePath: instancePath + "/lead_unsubscriptions/" + key33.replace(/~/g, "~0").replace(/\//g, "~1") + "/campaigns/" + i10, schemaPath: "#/properties/lead_unsubscriptions/additionalProperties/properties/campaigns/items/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema31.properties.lead_unsubscriptions.additionalProperties.properties.campaigns.items.type, parentSchema: schema31.properties.lead_unsubscriptions.additionalProperties.properties.campaigns.items, data: data110 };
                    if (vErrors === null) {
                      vErrors = [err243];
                    } else {
                      vErrors.push(err243);
                    }
                    errors++;
                  }
                }
              }
            }
            if (data106.email !== void 0) {
              let data111 = data106.email;
              if (typeof data111 !== "string") {
                const err244 = { instancePath: instancePath + "/lead_unsubscriptions/" + key33.replace(/~/g, "~0").replace(/\//g, "~1") + "/email", schemaPath: "#/properties/lead_unsubscriptions/additionalProperties/properties/email/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema31.properties.lead_unsubscriptions.additionalProperties.properties.email.type, parentSchema: schema31.properties.lead_unsubscriptions.additionalProperties.properties.email, data: data111 };
                if (vErrors === null) {
                  vErrors = [err244];
                } else {
                  vErrors.push(err244);
                }
                errors++;
              }
            }
            if (data106.emails !== void 0) {
              let data112 = data106.emails;
              if (Array.isArray(data112)) {
                const len11 = data112.length;
                for (let i11 = 0; i11 < len11; i11++) {
                  let data113 = data112[i11];
                  if (typeof data113 !== "string") {
                    const err245 = { instancePath: instancePath + "/lead_unsubscriptions/" + key33.replace(/~/g, "~0").replace(/\//g, "~1") + "/emails/" + i11, schemaPath: "#/properties/lead_unsubscriptions/additionalProperties/properties/emails/items/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema31.properties.lead_unsubscriptions.additionalProperties.properties.emails.items.type, parentSchema: schema31.properties.lead_unsubscriptions.additionalProperties.properties.emails.items, data: data113 };
                    if (vErrors === null) {
                      vErrors = [err245];
                    } else {
                      vErrors.push(err245);
                    }
                    errors++;
                  }
                }
              } else {
                const err246 = { instancePath: instancePath + "/lead_unsubscriptions/" + key33.replace(/~/g, "~0").replace(/\//g, "~1") + "/emails", schemaPath: "#/properties/lead_unsubscriptions/additionalProperties/properties/emails/type", keyword: "type", params: { type: "array" }, message: "must be array", schema: schema31.properties.lead_unsubscriptions.additionalProperties.properties.emails.type, parentSchema: schema31.properties.lead_unsubscriptions.additionalProperties.properties.emails, data: data112 };
                if (vErrors === null) {
                  vErrors = [err246];
                } else {
                  vErrors.push(err246);
                }
                errors++;
              }
            }
            if (data106.emails_from !== void 0) {
              let data114 = data106.emails_from;
              if (typeof data114 === "string") {
                if (func2(data114) < 1) {
                  const err247 = { instancePath: instancePath + "/lead_unsubscriptions/" + key33.replace(/~/g, "~0").replace(/\//g, "~1") + "/emails_from", schemaPath: "#/properties/lead_unsubscriptions/additionalProperties/properties/emails_from/minLength", keyword: "minLength", params: { limit: 1 }, message: "must NOT have fewer than 1 characters", schema: 1, parentSchema: schema31.properties.lead_unsubscriptions.additionalProperties.properties.emails_from, data: data114 };
                  if (vErrors === null) {
                    vErrors = [err247];
                  } else {
                    vErrors.push(err247);
                  }
                  errors++;
                }
              } else {
                const err248 = { instancePath: instancePath + "/lead_unsubscriptions/" + key33.replace(/~/g, "~0").replace(/\//g, "~1") + "/emails_from", schemaPath: "#/properties/lead_unsubscriptions/additionalProperties/properties/emails_from/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema31.properties.lead_unsubscriptions.additionalProperties.properties.emails_from.type, parentSchema: schema31.properties.lead_unsubscriptions.additionalProperties.properties.emails_from, data: data114 };
                if (vErrors === null) {
                  vErrors = [err248];
                } else {
                  vErrors.push(err248);
                }
                errors++;
              }
            }
            if (data106.on_not_found !== void 0) {
              let data115 = data106.on_not_found;
              const _errs341 = errors;
              let valid86 = false;
              const _errs342 = errors;
              if (!(data115 === "warn" || data115 === "ignore" || data115 === "error" || data115 === "retry")) {
                const err249 = { instancePath: instancePath + "/lead_unsubscriptions/" + key33.replace(/~/g, "~0").replace(/\//g, "~1") + "/on_not_found", schemaPath: "#/properties/lead_unsubscriptions/additionalProperties/properties/on_not_found/anyOf/0/enum", keyword: "enum", params: { allowedValues: schema31.properties.lead_unsubscriptions.additionalProperties.properties.on_not_found.anyOf[0].enum }, message: "must be equal to one of the allowed values", schema: schema31.properties.lead_unsubscriptions.additionalProperties.properties.on_not_found.anyOf[0].enum, parentSchema: schema31.properties.lead_unsubscriptions.additionalProperties.properties.on_not_found.anyOf[0], data: data115 };
                if (vErrors === null) {
                  vErrors = [err249];
                } else {
                  vErrors.push(err249);
                }
                errors++;
              }
              var _valid16 = _errs342 === errors;
              valid86 = valid86 || _valid16;
              const _errs343 = errors;
              if (typeof data115 !== "string") {
                const err250 = { instancePath: instancePath + "/lead_unsubscriptions/" + key33.replace(/~/g, "~0").replace(/\//g, "~1") + "/on_not_found", schemaPath: "#/properties/lead_unsubscriptions/additionalProperties/properties/on_not_found/anyOf/1/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema31.properties.lead_unsubscriptions.additionalProperties.properties.on_not_found.anyOf[1].type, parentSchema: schema31.properties.lead_unsubscriptions.additionalProperties.properties.on_not_found.anyOf[1], data: data115 };
                if (vErrors === null) {
                  vErrors = [err250];
                } else {
                  vErrors.push(err250);
                }
                errors++;
              }
              var _valid16 = _errs343 === errors;
              valid86 = valid86 || _valid16;
              if (!valid86) {
                const err251 = { instancePath: instancePath + "/lead_unsubscriptions/" + key33.replace(/~/g, "~0").replace(/\//g, "~1") + "/on_not_found", schemaPath: "#/properties/lead_unsubscriptions/additionalProperties/properties/on_not_found/anyOf", keyword: "anyOf", params: {}, message: "must match a schema in anyOf", schema: schema31.properties.lead_unsubscriptions.additionalProperties.properties.on_not_found.anyOf, parentSchema: schema31.properties.lead_unsubscriptions.additionalProperties.properties.on_not_found, data: data115 };
                if (vErrors === null) {
                  vErrors = [err251];
                } else {
                  vErrors.push(err251);
                }
                errors++;
              } else {
                errors = _errs341;
                if (vErrors !== null) {
                  if (_errs341) {
                    vErrors.length = _errs341;
                  } else {
                    vErrors = null;
                  }
                }
              }
            }
            if (data106.allow_empty !== void 0) {
              let data116 = data106.allow_empty;
              if (typeof data116 !== "boolean") {
                const err252 = { instancePath: instancePath + "/lead_unsubscriptions/" + key33.replace(/~/g, "~0").replace(/\//g, "~1") + "/allow_empty", schemaPath: "#/properties/lead_unsubscriptions/additionalProperties/properties/allow_empty/type", keyword: "type", params: { type: "boolean" }, message: "must be boolean", schema: schema31.properties.lead_unsubscriptions.additionalProperties.properties.allow_empty.type, parentSchema: schema31.properties.lead_unsubscriptions.additionalProperties.properties.allow_empty, data: data116 };
                if (vErrors === null) {
                  vErrors = [err252];
                } else {
                  vErrors.push(err252);
                }
                errors++;
              }
            }
            if (data106.prune !== void 0) {
              let data117 = data106.prune;
              if (typeof data117 !== "boolean") {
                const err253 = { instancePath: instancePath + "/lead_unsubscriptions/" + key33.replace(/~/g, "~0").replace(/\//g, "~1") + "/prune", schemaPath: "#/properties/lead_unsubscriptions/additionalProperties/properties/prune/type", keyword: "type", params: { type: "boolean" }, message: "must be boolean", schema: schema31.properties.lead_unsubscriptions.additionalProperties.properties.prune.type, parentSchema: schema31.properties.lead_unsubscriptions.additionalProperties.properties.prune, data: data117 };
                if (vErrors === null) {
                  vErrors = [err253];
                } else {
                  vErrors.push(err253);
                }
                errors++;
              }
            }
          } else {
            const err254 = { instancePath: instancePath + "/lead_unsubscriptions/" + key33.replace(/~/g, "~0").replace(/\//g, "~1"), schemaPath: "#/properties/lead_unsubscriptions/additionalProperties/type", keyword: "type", params: { type: "object" }, message: "must be object", schema: schema31.properties.lead_unsubscriptions.additionalProperties.type, parentSchema: schema31.properties.lead_unsubscriptions.additionalProperties, data: data106 };
            if (vErrors === null) {
              vErrors = [err254];
            } else {
              vErrors.push(err254);
            }
            errors++;
          }
        }
      } else {
        const err255 = { instancePath: instancePath + "/lead_unsubscriptions", schemaPath: "#/properties/lead_unsubscriptions/type", keyword: "type", params: { type: "object" }, message: "must be object", schema: schema31.properties.lead_unsubscriptions.type, parentSchema: schema31.properties.lead_unsubscriptions, data: data105 };
        if (vErrors === null) {
          vErrors = [err255];
        } else {
          vErrors.push(err255);
        }
        errors++;
      }
    }
    if (data.imports !== void 0) {
      let data118 = data.imports;
      if (Array.isArray(data118)) {
        const len12 = data118.length;
        for (let i12 = 0; i12 < len12; i12++) {
          let data119 = data118[i12];
          if (data119 && typeof data119 == "object" && !Array.isArray(data119)) {
            if (data119.to === void 0) {
              const err256 = { instancePath: instancePath + "/imports/" + i12, schemaPath: "#/properties/imports/items/required", keyword: "required", params: { missingProperty: "to" }, message: "must have required property 'to'", schema: schema31.properties.imports.items.required, parentSchema: schema31.properties.imports.items, data: data119 };
              if (vErrors === null) {
                vErrors = [err256];
              } else {
                vErrors.push(err256);
              }
              errors++;
            }
            if (data119.id === void 0) {
              const err257 = { instancePath: instancePath + "/imports/" + i12, schemaPath: "#/properties/imports/items/required", keyword: "required", params: { missingProperty: "id" }, message: "must have required property 'id'", schema: schema31.properties.imports.items.required, parentSchema: schema31.properties.imports.items, data: data119 };
              if (vErrors === null) {
                vErrors = [err257];
              } else {
                vErrors.push(err257);
              }
              errors++;
            }
            for (const key35 in data119) {
              if (!(key35 === "to" || key35 === "id")) {
                const err258 = { instancePath: instancePath + "/imports/" + i12, schemaPath: "#/properties/imports/items/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key35 }, message: "must NOT have additional properties", schema: false, parentSchema: schema31.properties.imports.items, data: data119 };
                if (vErrors === null) {
                  vErrors = [err258];
                } else {
                  vErrors.push(err258);
                }
                errors++;
              }
            }
            if (data119.to !== void 0) {
              let data120 = data119.to;
              if (typeof data120 === "string") {
                if (func2(data120) < 1) {
                  const err259 = { instancePath: instancePath + "/imports/" + i12 + "/to", schemaPath: "#/properties/imports/items/properties/to/minLength", keyword: "minLength", params: { limit: 1 }, message: "must NOT have fewer than 1 characters", schema: 1, parentSchema: schema31.properties.imports.items.properties.to, data: data120 };
                  if (vErrors === null) {
                    vErrors = [err259];
                  } else {
                    vErrors.push(err259);
                  }
                  errors++;
                }
              } else {
                const err260 = { instancePath: instancePath + "/imports/" + i12 + "/to", schemaPath: "#/properties/imports/items/properties/to/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema31.properties.imports.items.properties.to.type, parentSchema: schema31.properties.imports.items.properties.to, data: data120 };
                if (vErrors === null) {
                  vErrors = [err260];
                } else {
                  vErrors.push(err260);
                }
                errors++;
              }
            }
            if (data119.id !== void 0) {
              let data121 = data119.id;
              if (typeof data121 === "string") {
                if (func2(data121) < 1) {
                  const err261 = { instancePath: instancePath + "/imports/" + i12 + "/id", schemaPath: "#/properties/imports/items/properties/id/minLength", keyword: "minLength", params: { limit: 1 }, message: "must NOT have fewer than 1 characters", schema: 1, parentSchema: schema31.properties.imports.items.properties.id, data: data121 };
                  if (vErrors === null) {
                    vErrors = [err261];
                  } else {
                    vErrors.push(err261);
                  }
                  errors++;
                }
              } else {
                const err262 = { instancePath: instancePath + "/imports/" + i12 + "/id", schemaPath: "#/properties/imports/items/properties/id/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema31.properties.imports.items.properties.id.type, parentSchema: schema31.properties.imports.items.properties.id, data: data121 };
                if (vErrors === null) {
                  vErrors = [err262];
                } else {
                  vErrors.push(err262);
                }
                errors++;
              }
            }
          } else {
            const err263 = { instancePath: instancePath + "/imports/" + i12, schemaPath: "#/properties/imports/items/type", keyword: "type", params: { type: "object" }, message: "must be object", schema: schema31.properties.imports.items.type, parentSchema: schema31.properties.imports.items, data: data119 };
            if (vErrors === null) {
              vErrors = [err263];
            } else {
              vErrors.push(err263);
            }
            errors++;
          }
        }
      } else {
        const err264 = { instancePath: instancePath + "/imports", schemaPath: "#/properties/imports/type", keyword: "type", params: { type: "array" }, message: "must be array", schema: schema31.properties.imports.type, parentSchema: schema31.properties.imports, data: data118 };
        if (vErrors === null) {
          vErrors = [err264];
        } else {
          vErrors.push(err264);
        }
        errors++;
      }
    }
    if (data.moved !== void 0) {
      let data122 = data.moved;
      if (Array.isArray(data122)) {
        const len13 = data122.length;
        for (let i13 = 0; i13 < len13; i13++) {
          let data123 = data122[i13];
          if (data123 && typeof data123 == "object" && !Array.isArray(data123)) {
            if (data123.from === void 0) {
              const err265 = { instancePath: instancePath + "/moved/" + i13, schemaPath: "#/properties/moved/items/required", keyword: "required", params: { missingProperty: "from" }, message: "must have required property 'from'", schema: schema31.properties.moved.items.required, parentSchema: schema31.properties.moved.items, data: data123 };
              if (vErrors === null) {
                vErrors = [err265];
              } else {
                vErrors.push(err265);
              }
              errors++;
            }
            if (data123.to === void 0) {
              const err266 = { instancePath: instancePath + "/moved/" + i13, schemaPath: "#/properties/moved/items/required", keyword: "required", params: { missingProperty: "to" }, message: "must have required property 'to'", schema: schema31.properties.moved.items.required, parentSchema: schema31.properties.moved.items, data: data123 };
              if (vErrors === null) {
                vErrors = [err266];
              } else {
                vErrors.push(err266);
              }
              errors++;
            }
            for (const key36 in data123) {
              if (!(key36 === "from" || key36 === "to")) {
                const err267 = { instancePath: instancePath + "/moved/" + i13, schemaPath: "#/properties/moved/items/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key36 }, message: "must NOT have additional properties", schema: false, parentSchema: schema31.properties.moved.items, data: data123 };
                if (vErrors === null) {
                  vErrors = [err267];
                } else {
                  vErrors.push(err267);
                }
                errors++;
              }
            }
            if (data123.from !== void 0) {
              let data124 = data123.from;
              if (typeof data124 === "string") {
                if (func2(data124) < 1) {
                  const err268 = { instancePath: instancePath + "/moved/" + i13 + "/from", schemaPath: "#/properties/moved/items/properties/from/minLength", keyword: "minLength", params: { limit: 1 }, message: "must NOT have fewer than 1 characters", schema: 1, parentSchema: schema31.properties.moved.items.properties.from, data: data124 };
                  if (vErrors === null) {
                    vErrors = [err268];
                  } else {
                    vErrors.push(err268);
                  }
                  errors++;
                }
              } else {
                const err269 = { instancePath: instancePath + "/moved/" + i13 + "/from", schemaPath: "#/properties/moved/items/properties/from/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema31.properties.moved.items.properties.from.type, parentSchema: schema31.properties.moved.items.properties.from, data: data124 };
                if (vErrors === null) {
                  vErrors = [err269];
                } else {
                  vErrors.push(err269);
                }
                errors++;
              }
            }
            if (data123.to !== void 0) {
              let data125 = data123.to;
              if (typeof data125 === "string") {
                if (func2(data125) < 1) {
                  const err270 = { instancePath: instancePath + "/moved/" + i13 + "/to", schemaPath: "#/properties/moved/items/properties/to/minLength", keyword: "minLength", params: { limit: 1 }, message: "must NOT have fewer than 1 characters", schema: 1, parentSchema: schema31.properties.moved.items.properties.to, data: data125 };
                  if (vErrors === null) {
                    vErrors = [err270];
                  } else {
                    vErrors.push(err270);
                  }
                  errors++;
                }
              } else {
                const err271 = { instancePath: instancePath + "/moved/" + i13 + "/to", schemaPath: "#/properties/moved/items/properties/to/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema31.properties.moved.items.properties.to.type, parentSchema: schema31.properties.moved.items.properties.to, data: data125 };
                if (vErrors === null) {
                  vErrors = [err271];
                } else {
                  vErrors.push(err271);
                }
                errors++;
              }
            }
          } else {
            const err272 = { instancePath: instancePath + "/moved/" + i13, schemaPath: "#/properties/moved/items/type", keyword: "type", params: { type: "object" }, message: "must be object", schema: schema31.properties.moved.items.type, parentSchema: schema31.properties.moved.items, data: data123 };
            if (vErrors === null) {
              vErrors = [err272];
            } else {
              vErrors.push(err272);
            }
            errors++;
          }
        }
      } else {
        const err273 = { instancePath: instancePath + "/moved", schemaPath: "#/properties/moved/type", keyword: "type", params: { type: "array" }, message: "must be array", schema: schema31.properties.moved.type, parentSchema: schema31.properties.moved, data: data122 };
        if (vErrors === null) {
          vErrors = [err273];
        } else {
          vErrors.push(err273);
        }
        errors++;
      }
    }
    if (data.removed !== void 0) {
      let data126 = data.removed;
      if (Array.isArray(data126)) {
        const len14 = data126.length;
        for (let i14 = 0; i14 < len14; i14++) {
          let data127 = data126[i14];
          if (data127 && typeof data127 == "object" && !Array.isArray(data127)) {
            if (data127.from === void 0) {
              const err274 = { instancePath: instancePath + "/removed/" + i14, schemaPath: "#/properties/removed/items/required", keyword: "required", params: { missingProperty: "from" }, message: "must have required property 'from'", schema: schema31.properties.removed.items.required, parentSchema: schema31.properties.removed.items, data: data127 };
              if (vErrors === null) {
                vErrors = [err274];
              } else {
                vErrors.push(err274);
              }
              errors++;
            }
            for (const key37 in data127) {
              if (!(key37 === "from" || key37 === "destroy")) {
                const err275 = { instancePath: instancePath + "/removed/" + i14, schemaPath: "#/properties/removed/items/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key37 }, message: "must NOT have additional properties", schema: false, parentSchema: schema31.properties.removed.items, data: data127 };
                if (vErrors === null) {
                  vErrors = [err275];
                } else {
                  vErrors.push(err275);
                }
                errors++;
              }
            }
            if (data127.from !== void 0) {
              let data128 = data127.from;
              if (typeof data128 === "string") {
                if (func2(data128) < 1) {
                  const err276 = { instancePath: instancePath + "/removed/" + i14 + "/from", schemaPath: "#/properties/removed/items/properties/from/minLength", keyword: "minLength", params: { limit: 1 }, message: "must NOT have fewer than 1 characters", schema: 1, parentSchema: schema31.properties.removed.items.properties.from, data: data128 };
                  if (vErrors === null) {
                    vErrors = [err276];
                  } else {
                    vErrors.push(err276);
                  }
                  errors++;
                }
              } else {
                const err277 = { instancePath: instancePath + "/removed/" + i14 + "/from", schemaPath: "#/properties/removed/items/properties/from/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema31.properties.removed.items.properties.from.type, parentSchema: schema31.properties.removed.items.properties.from, data: data128 };
                if (vErrors === null) {
                  vErrors = [err277];
                } else {
                  vErrors.push(err277);
                }
                errors++;
              }
            }
            if (data127.destroy !== void 0) {
              let data129 = data127.destroy;
              if (typeof data129 !== "boolean") {
                const err278 = { instancePath: instancePath + "/removed/" + i14 + "/destroy", schemaPath: "#/properties/removed/items/properties/destroy/type", keyword: "type", params: { type: "boolean" }, message: "must be boolean", schema: schema31.properties.removed.items.properties.destroy.type, parentSchema: schema31.properties.removed.items.properties.destroy, data: data129 };
                if (vErrors === null) {
                  vErrors = [err278];
                } else {
                  vErrors.push(err278);
                }
                errors++;
              }
            }
          } else {
            const err279 = { instancePath: instancePath + "/removed/" + i14, schemaPath: "#/properties/removed/items/type", keyword: "type", params: { type: "object" }, message: "must be object", schema: schema31.properties.removed.items.type, parentSchema: schema31.properties.removed.items, data: data127 };
            if (vErrors === null) {
              vErrors = [err279];
            } else {
              vErrors.push(err279);
            }
            errors++;
          }
        }
      } else {
        const err280 = { instancePath: instancePath + "/removed", schemaPath: "#/properties/removed/type", keyword: "type", params: { type: "array" }, message: "must be array", schema: schema31.properties.removed.type, parentSchema: schema31.properties.removed, data: data126 };
        if (vErrors === null) {
          vErrors = [err280];
        } else {
          vErrors.push(err280);
        }
        errors++;
      }
    }
    if (data.outputs !== void 0) {
      let data130 = data.outputs;
      if (data130 && typeof data130 == "object" && !Array.isArray(data130)) {
        for (const key38 in data130) {
          const _errs378 = errors;
          if (typeof key38 === "string") {
            if (!pattern5.test(key38)) {
              const err281 = { instancePath: instancePath + "/outputs", schemaPath: "#/properties/outputs/propertyNames/pattern", keyword: "pattern", params: { pattern: "^[\\p{L}_][\\p{L}\\p{N}_-]*$" }, message: 'must match pattern "^[\\p{L}_][\\p{L}\\p{N}_-]*$"', schema: "^[\\p{L}_][\\p{L}\\p{N}_-]*$", parentSchema: schema31.properties.outputs.propertyNames, data: key38, propertyName: key38 };
              if (vErrors === null) {
                vErrors = [err281];
              } else {
                vErrors.push(err281);
              }
              errors++;
            }
          }
          var valid96 = _errs378 === errors;
          if (!valid96) {
            const err282 = { instancePath: instancePath + "/outputs", schemaPath: "#/properties/outputs/propertyNames", keyword: "propertyNames", params: { propertyName: key38 }, message: "property name must be valid", schema: schema31.properties.outputs.propertyNames, parentSchema: schema31.properties.outputs, data: data130 };
            if (vErrors === null) {
              vErrors = [err282];
            } else {
              vErrors.push(err282);
            }
            errors++;
          }
        }
        for (const key39 in data130) {
          let data131 = data130[key39];
          if ((!data131 || typeof data131 != "object") && typeof data131 !== "string" && !(typeof data131 == "number" && isFinite(data131)) && typeof data131 !== "boolean") {
            const err283 = { instancePath: instancePath + "/outputs/" + key39.replace(/~/g, "~0").replace(/\//g, "~1"), schemaPath: "#/properties/outputs/additionalProperties/type", keyword: "type", params: { type: schema31.properties.outputs.additionalProperties.type }, message: "must be string,number,boolean,array,object", schema: schema31.properties.outputs.additionalProperties.type, parentSchema: schema31.properties.outputs.additionalProperties, data: data131 };
            if (vErrors === null) {
              vErrors = [err283];
            } else {
              vErrors.push(err283);
            }
            errors++;
          }
          if (Array.isArray(data131)) {
            const len15 = data131.length;
            for (let i15 = 0; i15 < len15; i15++) {
              let data132 = data131[i15];
              if (typeof data132 !== "string" && !(typeof data132 == "number" && isFinite(data132)) && typeof data132 !== "boolean") {
                const err284 = { instancePath: instancePath + "/outputs/" + key39.replace(/~/g, "~0").replace(/\//g, "~1") + "/" + i15, schemaPath: "#/properties/outputs/additionalProperties/items/type", keyword: "type", params: { type: schema31.properties.outputs.additionalProperties.items.type }, message: "must be string,number,boolean", schema: schema31.properties.outputs.additionalProperties.items.type, parentSchema: schema31.properties.outputs.additionalProperties.items, data: data132 };
                if (vErrors === null) {
                  vErrors = [err284];
                } else {
                  vErrors.push(err284);
                }
                errors++;
              }
            }
          }
          if (data131 && typeof data131 == "object" && !Array.isArray(data131)) {
            for (const key40 in data131) {
              if (!(key40 === "value" || key40 === "sensitive" || key40 === "description")) {
                const err285 = { instancePath: instancePath + "/outputs/" + key39.replace(/~/g, "~0").replace(/\//g, "~1"), schemaPath: "#/properties/outputs/additionalProperties/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key40 }, message: "must NOT have additional properties", schema: false, parentSchema: schema31.properties.outputs.additionalProperties, data: data131 };
                if (vErrors === null) {
                  vErrors = [err285];
                } else {
                  vErrors.push(err285);
                }
                errors++;
              }
            }
            if (data131.value !== void 0) {
              let data133 = data131.value;
              if (typeof data133 !== "string" && !(typeof data133 == "number" && isFinite(data133)) && typeof data133 !== "boolean" && !Array.isArray(data133)) {
                const err286 = { instancePath: instancePath + "/outputs/" + key39.replace(/~/g, "~0").replace(/\//g, "~1") + "/value", schemaPath: "#/properties/outputs/additionalProperties/properties/value/type", keyword: "type", params: { type: schema31.properties.outputs.additionalProperties.properties.value.type }, message: "must be string,number,boolean,array", schema: schema31.properties.outputs.additionalProperties.properties.value.type, parentSchema: schema31.properties.outputs.additionalProperties.properties.value, data: data133 };
                if (vErrors === null) {
                  vErrors = [err286];
                } else {
                  vErrors.push(err286);
                }
                errors++;
              }
              if (Array.isArray(data133)) {
                const len16 = data133.length;
                for (let i16 = 0; i16 < len16; i16++) {
                  let data134 = data133[i16];
                  if (typeof data134 !== "string" && !(typeof data134 == "number" && isFinite(data134)) && typeof data134 !== "boolean") {
                    const err287 = { instancePath: instancePath + "/outputs/" + key39.replace(/~/g, "~0").replace(/\//g, "~1") + "/value/" + i16, schemaPath: "#/properties/outputs/additionalProperties/properties/value/items/type", keyword: "type", params: { type: schema31.properties.outputs.additionalProperties.properties.value.items.type }, message: "must be string,number,boolean", schema: schema31.properties.outputs.additionalProperties.properties.value.items.type, parentSchema: schema31.properties.outputs.additionalProperties.properties.value.items, data: data134 };
                    if (vErrors === null) {
                      vErrors = [err287];
                    } else {
                      vErrors.push(err287);
                    }
                    errors++;
                  }
                }
              }
            }
            if (data131.sensitive !== void 0) {
              let data135 = data131.sensitive;
              if (typeof data135 !== "boolean") {
                const err288 = { instancePath: instancePath + "/outputs/" + key39.replace(/~/g, "~0").replace(/\//g, "~1") + "/sensitive", schemaPath: "#/properties/outputs/additionalProperties/properties/sensitive/type", keyword: "type", params: { type: "boolean" }, message: "must be boolean", schema: schema31.properties.outputs.additionalProperties.properties.sensitive.type, parentSchema: schema31.properties.outputs.additionalProperties.properties.sensitive, data: data135 };
                if (vErrors === null) {
                  vErrors = [err288];
                } else {
                  vErrors.push(err288);
                }
                errors++;
              }
            }
            if (data131.description !== void 0) {
              let data136 = data131.description;
              if (typeof data136 !== "string") {
                const err289 = { instancePath: instancePath + "/outputs/" + key39.replace(/~/g, "~0").replace(/\//g, "~1") + "/description", schemaPath: "#/properties/outputs/additionalProperties/properties/description/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema31.properties.outputs.additionalProperties.properties.description.type, parentSchema: schema31.properties.outputs.additionalProperties.properties.description, data: data136 };
                if (vErrors === null) {
                  vErrors = [err289];
                } else {
                  vErrors.push(err289);
                }
                errors++;
              }
            }
          }
        }
      } else {
        const err290 = { instancePath: instancePath + "/outputs", schemaPath: "#/properties/outputs/type", keyword: "type", params: { type: "object" }, message: "must be object", schema: schema31.properties.outputs.type, parentSchema: schema31.properties.outputs, data: data130 };
        if (vErrors === null) {
          vErrors = [err290];
        } else {
          vErrors.push(err290);
        }
        errors++;
      }
    }
    if (data.limits !== void 0) {
      let data137 = data.limits;
      if (data137 && typeof data137 == "object" && !Array.isArray(data137)) {
        for (const key41 in data137) {
          if (!(key41 === "delete" || key41 === "replace" || key41 === "recreate" || key41 === "unsubscribe")) {
            const err291 = { instancePath: instancePath + "/limits", schemaPath: "#/properties/limits/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key41 }, message: "must NOT have additional properties", schema: false, parentSchema: schema31.properties.limits, data: data137 };
            if (vErrors === null) {
              vErrors = [err291];
            } else {
              vErrors.push(err291);
            }
            errors++;
          }
        }
        if (data137.delete !== void 0) {
          let data138 = data137.delete;
          if (!(typeof data138 == "number" && (!(data138 % 1) && !isNaN(data138)) && isFinite(data138)) && typeof data138 !== "string") {
            const err292 = { instancePath: instancePath + "/limits/delete", schemaPath: "#/properties/limits/properties/delete/type", keyword: "type", params: { type: schema31.properties.limits.properties.delete.type }, message: "must be integer,string", schema: schema31.properties.limits.properties.delete.type, parentSchema: schema31.properties.limits.properties.delete, data: data138 };
            if (vErrors === null) {
              vErrors = [err292];
            } else {
              vErrors.push(err292);
            }
            errors++;
          }
          if (typeof data138 == "number" && isFinite(data138)) {
            if (data138 < 0 || isNaN(data138)) {
              const err293 = { instancePath: instancePath + "/limits/delete", schemaPath: "#/properties/limits/properties/delete/minimum", keyword: "minimum", params: { comparison: ">=", limit: 0 }, message: "must be >= 0", schema: 0, parentSchema: schema31.properties.limits.properties.delete, data: data138 };
              if (vErrors === null) {
                vErrors = [err293];
              } else {
                vErrors.push(err293);
              }
              errors++;
            }
          }
          if (typeof data138 === "string") {
            if (!pattern17.test(data138)) {
              const err294 = { instancePath: instancePath + "/limits/delete", schemaPath: "#/properties/limits/properties/delete/pattern", keyword: "pattern", params: { pattern: "^(100|[1-9]?[0-9])%$" }, message: 'must match pattern "^(100|[1-9]?[0-9])%$"', schema: "^(100|[1-9]?[0-9])%$", parentSchema: schema31.properties.limits.properties.delete, data: data138 };
              if (vErrors === null) {
                vErrors = [err294];
              } else {
                vErrors.push(err294);
              }
              errors++;
            }
          }
        }
        if (data137.replace !== void 0) {
          let data139 = data137.replace;
          if (!(typeof data139 == "number" && (!(data139 % 1) && !isNaN(data139)) && isFinite(data139)) && typeof data139 !== "string") {
            const err295 = { instancePath: instancePath + "/limits/replace", schemaPath: "#/properties/limits/properties/replace/type", keyword: "type", params: { type: schema31.properties.limits.properties.replace.type }, message: "must be integer,string", schema: schema31.properties.limits.properties.replace.type, parentSchema: schema31.properties.limits.properties.replace, data: data139 };
            if (vErrors === null) {
              vErrors = [err295];
            } else {
              vErrors.push(err295);
            }
            errors++;
          }
          if (typeof data139 == "number" && isFinite(data139)) {
            if (data139 < 0 || isNaN(data139)) {
              const err296 = { instancePath: instancePath + "/limits/replace", schemaPath: "#/properties/limits/properties/replace/minimum", keyword: "minimum", params: { comparison: ">=", limit: 0 }, message: "must be >= 0", schema: 0, parentSchema: schema31.properties.limits.properties.replace, data: data139 };
              if (vErrors === null) {
                vErrors = [err296];
              } else {
                vErrors.push(err296);
              }
              errors++;
            }
          }
          if (typeof data139 === "string") {
            if (!pattern17.test(data139)) {
              const err297 = { instancePath: instancePath + "/limits/replace", schemaPath: "#/properties/limits/properties/replace/pattern", keyword: "pattern", params: { pattern: "^(100|[1-9]?[0-9])%$" }, message: 'must match pattern "^(100|[1-9]?[0-9])%$"', schema: "^(100|[1-9]?[0-9])%$", parentSchema: schema31.properties.limits.properties.replace, data: data139 };
              if (vErrors === null) {
                vErrors = [err297];
              } else {
                vErrors.push(err297);
              }
              errors++;
            }
          }
        }
        if (data137.recreate !== void 0) {
          let data140 = data137.recreate;
          if (!(typeof data140 == "number" && (!(data140 % 1) && !isNaN(data140)) && isFinite(data140)) && typeof data140 !== "string") {
            const err298 = { instancePath: instancePath + "/limits/recreate", schemaPath: "#/properties/limits/properties/recreate/type", keyword: "type", params: { type: schema31.properties.limits.properties.recreate.type }, message: "must be integer,string", schema: schema31.properties.limits.properties.recreate.type, parentSchema: schema31.properties.limits.properties.recreate, data: data140 };
            if (vErrors === null) {
              vErrors = [err298];
            } else {
              vErrors.push(err298);
            }
            errors++;
          }
          if (typeof data140 == "number" && isFinite(data140)) {
            if (data140 < 0 || isNaN(data140)) {
              const err299 = { instancePath: instancePath + "/limits/recreate", schemaPath: "#/properties/limits/properties/recreate/minimum", keyword: "minimum", params: { comparison: ">=", limit: 0 }, message: "must be >= 0", schema: 0, parentSchema: schema31.properties.limits.properties.recreate, data: data140 };
              if (vErrors === null) {
                vErrors = [err299];
              } else {
                vErrors.push(err299);
              }
              errors++;
            }
          }
          if (typeof data140 === "string") {
            if (!pattern17.test(data140)) {
              const err300 = { instancePath: instancePath + "/limits/recreate", schemaPath: "#/properties/limits/properties/recreate/pattern", keyword: "pattern", params: { pattern: "^(100|[1-9]?[0-9])%$" }, message: 'must match pattern "^(100|[1-9]?[0-9])%$"', schema: "^(100|[1-9]?[0-9])%$", parentSchema: schema31.properties.limits.properties.recreate, data: data140 };
              if (vErrors === null) {
                vErrors = [err300];
              } else {
                vErrors.push(err300);
              }
              errors++;
            }
          }
        }
        if (data137.unsubscribe !== void 0) {
          let data141 = data137.unsubscribe;
          if (!(typeof data141 == "number" && (!(data141 % 1) && !isNaN(data141)) && isFinite(data141)) && typeof data141 !== "string") {
            const err301 = { instancePath: instancePath + "/limits/unsubscribe", schemaPath: "#/properties/limits/properties/unsubscribe/type", keyword: "type", params: { type: schema31.properties.limits.properties.unsubscribe.type }, message: "must be integer,string", schema: schema31.properties.limits.properties.unsubscribe.type, parentSchema: schema31.properties.limits.properties.unsubscribe, data: data141 };
            if (vErrors === null) {
              vErrors = [err301];
            } else {
              vErrors.push(err301);
            }
            errors++;
          }
          if (typeof data141 == "number" && isFinite(data141)) {
            if (data141 < 0 || isNaN(data141)) {
              const err302 = { instancePath: instancePath + "/limits/unsubscribe", schemaPath: "#/properties/limits/properties/unsubscribe/minimum", keyword: "minimum", params: { comparison: ">=", limit: 0 }, message: "must be >= 0", schema: 0, parentSchema: schema31.properties.limits.properties.unsubscribe, data: data141 };
              if (vErrors === null) {
                vErrors = [err302];
              } else {
                vErrors.push(err302);
              }
              errors++;
            }
          }
          if (typeof data141 === "string") {
            if (!pattern17.test(data141)) {
              const err303 = { instancePath: instancePath + "/limits/unsubscribe", schemaPath: "#/properties/limits/properties/unsubscribe/pattern", keyword: "pattern", params: { pattern: "^(100|[1-9]?[0-9])%$" }, message: 'must match pattern "^(100|[1-9]?[0-9])%$"', schema: "^(100|[1-9]?[0-9])%$", parentSchema: schema31.properties.limits.properties.unsubscribe, data: data141 };
              if (vErrors === null) {
                vErrors = [err303];
              } else {
                vErrors.push(err303);
              }
              errors++;
            }
          }
        }
      } else {
        const err304 = { instancePath: instancePath + "/limits", schemaPath: "#/properties/limits/type", keyword: "type", params: { type: "object" }, message: "must be object", schema: schema31.properties.limits.type, parentSchema: schema31.properties.limits, data: data137 };
        if (vErrors === null) {
          vErrors = [err304];
        } else {
          vErrors.push(err304);
        }
        errors++;
      }
    }
  } else {
    const err305 = { instancePath, schemaPath: "#/type", keyword: "type", params: { type: "object" }, message: "must be object", schema: schema31.type, parentSchema: schema31, data };
    if (vErrors === null) {
      vErrors = [err305];
    } else {
      vErrors.push(err305);
    }
    errors++;
  }
  validate20.errors = vErrors;
  return errors === 0;
}
validate20.evaluated = { "props": true, "dynamicProps": false, "dynamicItems": false };
export {
  validate
};
