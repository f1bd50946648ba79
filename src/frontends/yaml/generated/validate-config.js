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
var schema31 = { "$schema": "https://json-schema.org/draft/2020-12/schema", "$id": "https://outreach-as-code.example/schemas/config.schema.json", "title": "outreach configuration", "type": "object", "additionalProperties": false, "required": ["version"], "properties": { "version": { "const": 1, "description": "Version of this format: 1." }, "service": { "type": "object", "additionalProperties": false, "description": "The service to manage.", "properties": { "base_url": { "type": "string", "description": "Base address of the service's API. OUTREACH_BASE_URL takes precedence over it.", "examples": ["https://api.example.com/api"] }, "rate_share": { "type": "string", "pattern": "^(100|[1-9][0-9]?)%$", "description": "Share of the service's rate limit to use: 1% to 100%. A smaller share leaves room for other users of the key.", "default": "100%", "examples": ["50%"] }, "unique_target_url": { "type": "boolean", "description": "Whether the service allows one webhook per target URL, as users observed: plans then stop before they create a second one. Default: as the service has shown. The first create that it answers with 409 is recorded in the state.", "examples": [true] }, "api_key": { "$ref": "#/$defs/secret", "description": "Source of the API key.", "default": { "env": "OUTREACH_API_KEY" } } } }, "state": { "type": "object", "additionalProperties": false, "description": "Where to store the state.", "properties": { "backend": { "enum": ["local", "http", "s3", "pg"], "description": "local: A file. http: A server that speaks the protocol of Terraform's http backend, such as GitLab. s3: An object in a bucket of S3, or of a compatible store. pg: A PostgreSQL database.", "default": "local" }, "encryption": { "type": "object", "additionalProperties": false, "minProperties": 1, "not": { "required": ["passphrase", "key"] }, "description": "Encrypts the state, its journal and backup, and saved plans, with AES-256-GCM. With only a fallback, the next apply stores them in plain text.", "properties": { "passphrase": { "$ref": "#/$defs/secret", "description": "Source of a passphrase of at least 16 characters. The key is derived from it by scrypt." }, "key": { "$ref": "#/$defs/secret", "description": "Source of a key: 32 random bytes in base64, as openssl rand -base64 32 prints them." }, "fallback": { "description": "The previous passphrase or key, while it changes: it only decrypts. Or plain, while a state in plain text is encrypted for the first time.", "oneOf": [{ "const": "plain", "description": "Reads a state in plain text. The next apply encrypts it." }, { "type": "object", "additionalProperties": false, "minProperties": 1, "not": { "required": ["passphrase", "key"] }, "properties": { "passphrase": { "$ref": "#/$defs/secret", "description": "Source of the previous passphrase." }, "key": { "$ref": "#/$defs/secret", "description": "Source of the previous key." } } }] } }, "examples": [{ "passphrase": { "env": "STATE_PASSPHRASE" } }] }, "path": { "type": "string", "minLength": 1, "description": "Path of the file, relative to the configuration.", "default": "outreach.state.json", "examples": ["outreach.${var.stage}.state.json"] }, "address": { "type": "string", "minLength": 1, "description": "Of the backend http. URL of the state: https, or http on this machine. Without it, TF_HTTP_ADDRESS sets it.", "examples": ["https://gitlab.example.com/api/v4/projects/7/terraform/state/production"] }, "lock_address": { "type": "string", "minLength": 1, "description": "Of the backend http. URL that locks the state. Required, unless lock is false. On GitLab, it defaults to the lock of the state. Without it, TF_HTTP_LOCK_ADDRESS sets it.", "examples": ["https://gitlab.example.com/api/v4/projects/7/terraform/state/production/lock"] }, "unlock_address": { "type": "string", "minLength": 1, "description": "Of the backend http. URL that unlocks the state. Default: lock_address. Without it, TF_HTTP_UNLOCK_ADDRESS sets it." }, "lock": { "type": "boolean", "description": "Of the backend http. Whether runs lock the state. Without a lock, two runs at once can create duplicates.", "default": true }, "update_method": { "type": "string", "minLength": 1, "description": "Of the backend http. HTTP method that writes the state. Without it, TF_HTTP_UPDATE_METHOD sets it.", "default": "POST" }, "lock_method": { "type": "string", "minLength": 1, "description": "Of the backend http. HTTP method that locks. The lock of a state on GitLab always uses POST. Without it, TF_HTTP_LOCK_METHOD sets it.", "default": "LOCK" }, "unlock_method": { "type": "string", "minLength": 1, "description": "Of the backend http. HTTP method that unlocks. The lock of a state on GitLab always uses DELETE. Without it, TF_HTTP_UNLOCK_METHOD sets it.", "default": "UNLOCK" }, "username": { "type": "string", "minLength": 1, "description": "Of the backend http. User name for basic authentication. Without it, TF_HTTP_USERNAME sets it." }, "password": { "$ref": "#/$defs/secret", "description": "Of the backend http. Password, or access token, for basic authentication. Without it, TF_HTTP_PASSWORD sets it." }, "headers": { "type": "object", "additionalProperties": { "anyOf": [{ "type": "string" }, { "$ref": "#/$defs/secret" }] }, "description": "Of the backend http. Headers to send with each request, as text or as a secret." }, "retry_max": { "type": "integer", "minimum": 0, "description": "Of the backend http. How often to repeat a request that got no answer, 429, or 5xx other than 501. Without it, TF_HTTP_RETRY_MAX sets it.", "default": 2 }, "retry_wait_min": { "type": "integer", "minimum": 0, "description": "Of the backend http. Seconds before the first repetition. The wait doubles each time. Without it, TF_HTTP_RETRY_WAIT_MIN sets it.", "default": 1 }, "retry_wait_max": { "type": "integer", "minimum": 0, "description": "Of the backend http. Longest wait between repetitions, in seconds. Without it, TF_HTTP_RETRY_WAIT_MAX sets it.", "default": 30 }, "bucket": { "type": "string", "minLength": 1, "description": "Of the backend s3. Name of the bucket. It must exist.", "examples": ["acme-states"] }, "key": { "type": "string", "minLength": 1, "description": "Of the backend s3. Key of the object that holds the state. The lock is another object, KEY.tflock.", "examples": ["crm/production.state.json"] }, "region": { "type": "string", "minLength": 1, "description": "Of the backend s3. Region of the bucket. With an endpoint, the default is us-east-1. Without it, AWS_REGION or AWS_DEFAULT_REGION sets it.", "examples": ["eu-central-1"] }, "endpoint": { "type": "string", "minLength": 1, "description": "Of the backend s3. URL of a compatible store, without the bucket. Default: AWS in that region. Without it, AWS_ENDPOINT_URL_S3 sets it.", "examples": ["https://s3.example.com"] }, "use_path_style": { "type": "boolean", "description": "Of the backend s3. Whether requests go to ENDPOINT/BUCKET/KEY, and not to BUCKET.ENDPOINT/KEY. Default: true with an endpoint." }, "server_side_encryption": { "type": "string", "minLength": 1, "description": "Of the backend s3. How the store encrypts the objects: AES256, aws:kms or aws:kms:dsse. Default: as the bucket says.", "examples": ["aws:kms"] }, "kms_key_id": { "type": "string", "minLength": 1, "description": "Of the backend s3. Id, ARN or alias of the KMS key, for aws:kms and aws:kms:dsse." }, "credentials": { "$ref": "#/$defs/secret", "description": "Of the backend s3. The JSON of AWS's credential_process. Default: AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, with AWS_SESSION_TOKEN for temporary credentials." }, "url": { "$ref": "#/$defs/secret", "description": "Of the backend pg. A reference to the URL of the database: postgres://USER:PASSWORD@HOST:PORT/DATABASE. Beyond this machine, the connection is encrypted and the server's certificate verified, unless `sslmode` says otherwise. Without it, PG_CONN_STR sets it." }, "schema": { "type": "string", "minLength": 1, "description": "Of the backend pg. The schema of the tables. It is created if it does not exist.", "default": "outreach" }, "name": { "type": "string", "minLength": 1, "description": "Of the backend pg. The name of the state within the schema.", "default": "default" } } }, "variables": { "type": "object", "description": "Values that differ between runs. Set them with --var NAME=VALUE, --var-file, or OUTREACH_VAR_NAME.", "propertyNames": { "pattern": "^(?:(?![\\u115f\\u1160\\u3164\\uffa0])[\\p{L}_])(?:(?![\\u115f\\u1160\\u3164\\uffa0])[\\p{L}\\p{N}_-])*$" }, "additionalProperties": { "type": ["object", "null"], "additionalProperties": false, "properties": { "default": { "type": ["string", "number", "boolean"], "description": "Value if none is set. Without a default, the variable is required." }, "allowed": { "type": "array", "minItems": 1, "items": { "type": ["string", "number", "boolean"] }, "description": "The only values that it may have, whether from its default or from outside.", "examples": [["staging", "production"]] }, "sensitive": { "type": "boolean", "default": false, "description": "Whether to mask values that contain it in output. The state still stores them." }, "description": { "type": "string", "description": "Purpose, for readers." } } } }, "teams": { "type": "object", "description": "Teams of the service. Every plan and apply runs for each team, or for those of --team, with a state of its own. ${team.name} is the team's name.", "propertyNames": { "pattern": "^[a-z0-9][a-z0-9_-]{0,62}$" }, "additionalProperties": { "type": ["object", "null"], "additionalProperties": false, "properties": { "api_key": { "$ref": "#/$defs/secret", "description": "Source of the team's API key, instead of service.api_key." }, "base_url": { "type": "string", "description": "Base address of the service's API for this team, instead of service.base_url. OUTREACH_BASE_URL takes precedence over it.", "examples": ["https://emea.api.example.com/api"] }, "variables": { "type": "object", "description": "Values of variables, instead of their defaults. --var, --var-file and OUTREACH_VAR_NAME take precedence over them.", "propertyNames": { "pattern": "^(?:(?![\\u115f\\u1160\\u3164\\uffa0])[\\p{L}_])(?:(?![\\u115f\\u1160\\u3164\\uffa0])[\\p{L}\\p{N}_-])*$" }, "additionalProperties": { "type": ["string", "number", "boolean"] }, "examples": [{ "crm": "crm-emea.example.com" }] } } } }, "data": { "type": "object", "additionalProperties": false, "description": "Objects of the service to look up. outreach only reads them.", "properties": { "campaign": { "type": "object", "description": "Campaigns to look up, by name.", "propertyNames": { "pattern": "^(?:(?![\\u115f\\u1160\\u3164\\uffa0])[\\p{L}_])(?:(?![\\u115f\\u1160\\u3164\\uffa0])[\\p{L}\\p{N}_-])*$" }, "additionalProperties": { "type": "object", "additionalProperties": false, "description": "Reads one campaign by its id or its name. Set exactly one of them.", "required": [], "properties": { "id": { "description": "Id of the campaign.", "examples": ["cam_000001"], "type": "string" }, "name": { "description": "Exact name of the campaign.", "examples": ["Q3 launch"], "type": "string" }, "status": { "description": "Status, if several campaigns have the same name. A campaign can have several.", "anyOf": [{ "enum": ["running", "paused", "draft", "ended", "archived", "errors"] }, { "type": "string" }] } } } }, "campaigns": { "type": "object", "description": "Filters that find campaigns, by name. A block refers to one with campaigns.", "propertyNames": { "pattern": "^(?:(?![\\u115f\\u1160\\u3164\\uffa0])[\\p{L}_])(?:(?![\\u115f\\u1160\\u3164\\uffa0])[\\p{L}\\p{N}_-])*$" }, "additionalProperties": { "type": "object", "additionalProperties": false, "description": "Reads the campaigns of the team that match every filter. Without a filter, it reads all campaigns.", "required": [], "properties": { "status": { "description": "Only campaigns with this status. A campaign can have several.", "anyOf": [{ "enum": ["running", "paused", "draft", "ended", "archived", "errors"] }, { "type": "string" }] }, "created_by": { "description": "Only campaigns that this user created.", "examples": ["usr_000001"], "type": "string" }, "labels": { "description": "Only campaigns with all of these labels.", "type": "array", "items": { "type": "string" } }, "name_regex": { "description": "Only campaigns whose name contains a match of this regular expression, in RE2's syntax as in Terraform.", "examples": ["^Q[34] "], "type": "string" }, "sort_order": { "description": "Order by creation time: `asc` (default) or `desc`.", "anyOf": [{ "enum": ["asc", "desc"] }, { "type": "string" }] } } } }, "schedules": { "type": "object", "description": "Schedules of campaigns to look up.", "propertyNames": { "pattern": "^(?:(?![\\u115f\\u1160\\u3164\\uffa0])[\\p{L}_])(?:(?![\\u115f\\u1160\\u3164\\uffa0])[\\p{L}\\p{N}_-])*$" }, "additionalProperties": { "type": "object", "additionalProperties": false, "description": "Reads the schedules of a campaign.", "required": [], "properties": { "campaign_id": { "description": "Id of the campaign.", "examples": ["cam_000001"], "type": "string" }, "campaign": { "type": "string", "description": "Name of a block under data.campaign, instead of the id." } } } }, "warmup_settings": { "type": "object", "description": "Warm-up settings of mailboxes to look up.", "propertyNames": { "pattern": "^(?:(?![\\u115f\\u1160\\u3164\\uffa0])[\\p{L}_])(?:(?![\\u115f\\u1160\\u3164\\uffa0])[\\p{L}\\p{N}_-])*$" }, "additionalProperties": { "type": "object", "additionalProperties": false, "description": "Reads the warm-up settings of a mailbox. The service documents two sets of fields, by name and type alone; a field that an answer omits is null.", "required": ["user_mailbox_id"], "properties": { "user_mailbox_id": { "description": "Id of the mailbox.", "examples": ["usm_000001"], "type": "string" } } } }, "webhooks": { "type": "object", "description": "Live webhooks, managed or not.", "propertyNames": { "pattern": "^(?:(?![\\u115f\\u1160\\u3164\\uffa0])[\\p{L}_])(?:(?![\\u115f\\u1160\\u3164\\uffa0])[\\p{L}\\p{N}_-])*$" }, "additionalProperties": { "type": "object", "additionalProperties": false, "description": "Reads all live webhooks of the team, managed or not. The service never returns secrets.", "required": [], "properties": {} } } } }, "webhooks": { "type": "object", "description": "Webhooks to manage, by name.", "propertyNames": { "pattern": "^(?:(?![\\u115f\\u1160\\u3164\\uffa0])[\\p{L}_])(?:(?![\\u115f\\u1160\\u3164\\uffa0])[\\p{L}\\p{N}_-])*$" }, "additionalProperties": { "type": "object", "additionalProperties": false, "description": "Manages a webhook. The service sends each event of a type, or all events, as an HTTP POST to a URL. It documents no update of a webhook, so every change replaces it.", "required": ["target_url"], "properties": { "target_url": { "description": "URL that receives the events: https, without user info, backslashes and invisible characters, at most 2,048 characters. http is valid only for loopback hosts. In a fan-out, ${each.type}, ${each.campaign_id} and ${each.key} are the values of each webhook.", "examples": ["https://crm.example.com/hooks/replies", "https://crm.example.com/hook?event=${each.type}"], "type": "string" }, "type": { "description": "Event type to receive. Default: all events.", "examples": ["emailsReplied"], "anyOf": [{ "enum": ["contacted", "hooked", "attracted", "warmed", "interested", "notInterested", "emailsSent", "emailsOpened", "emailsClicked", "emailsReplied", "emailsBounced", "emailsFailed", "emailsInterested", "emailsNotInterested", "emailsUnsubscribed", "networkSent", "networkOpened", "networkReplied", "networkInterested", "networkNotInterested", "networkSendFailed", "networkVisitDone", "networkVisitFailed", "networkFollowDone", "networkFollowFailed", "networkFollowSkipped", "networkInviteDone", "networkInviteFailed", "networkInviteAccepted", "networkEndorseDone", "networkEndorseFailed", "networkEndorseSkipped", "networkVoiceNoteDone", "networkVoiceNoteFailed", "networkLikeLastPostDone", "networkLikeLastPostNoPost", "networkLikeLastPostFailed", "networkWithdrawInvitationDone", "networkWithdrawInvitationFailed", "chatMessageSent", "chatMessageDelivered", "chatMessageOpened", "chatReplied", "chatMessageFailed", "smsSent", "smsDelivered", "smsReplied", "smsFailed", "dialerCreated", "dialerEnded", "dialerDone", "dialerInterested", "dialerNotInterested", "callRecordingDone", "callTranscriptDone", "apiDone", "apiInterested", "apiNotInterested", "apiFailed", "manualInterested", "manualNotInterested", "annotated", "paused", "resumed", "stopped", "campaignComplete", "customDomainErrors", "connectionIssue", "sendLimitReached", "warmupPaused", "enrichmentDone", "enrichmentError", "inboxLabelUpdated", "signalRegistered", "deliverabilityAlertTriggered"] }, { "type": "string" }] }, "types": { "type": "array", "description": "Fan-out over event types: one webhook per type.", "items": { "anyOf": [{ "enum": ["contacted", "hooked", "attracted", "warmed", "interested", "notInterested", "emailsSent", "emailsOpened", "emailsClicked", "emailsReplied", "emailsBounced", "emailsFailed", "emailsInterested", "emailsNotInterested", "emailsUnsubscribed", "networkSent", "networkOpened", "networkReplied", "networkInterested", "networkNotInterested", "networkSendFailed", "networkVisitDone", "networkVisitFailed", "networkFollowDone", "networkFollowFailed", "networkFollowSkipped", "networkInviteDone", "networkInviteFailed", "networkInviteAccepted", "networkEndorseDone", "networkEndorseFailed", "networkEndorseSkipped", "networkVoiceNoteDone", "networkVoiceNoteFailed", "networkLikeLastPostDone", "networkLikeLastPostNoPost", "networkLikeLastPostFailed", "networkWithdrawInvitationDone", "networkWithdrawInvitationFailed", "chatMessageSent", "chatMessageDelivered", "chatMessageOpened", "chatReplied", "chatMessageFailed", "smsSent", "smsDelivered", "smsReplied", "smsFailed", "dialerCreated", "dialerEnded", "dialerDone", "dialerInterested", "dialerNotInterested", "callRecordingDone", "callTranscriptDone", "apiDone", "apiInterested", "apiNotInterested", "apiFailed", "manualInterested", "manualNotInterested", "annotated", "paused", "resumed", "stopped", "campaignComplete", "customDomainErrors", "connectionIssue", "sendLimitReached", "warmupPaused", "enrichmentDone", "enrichmentError", "inboxLabelUpdated", "signalRegistered", "deliverabilityAlertTriggered"] }, { "type": "string" }] }, "examples": [["emailsReplied"]] }, "campaign_id": { "description": "Campaign whose events to receive. Default: all campaigns.", "examples": ["cam_000001"], "type": "string" }, "campaign": { "type": "string", "description": "Name of a block under data.campaign, instead of the id." }, "campaigns": { "type": ["string", "array"], "description": "Fan-out over campaigns: the name of a block under data.campaigns, or a list of names under data.campaign.", "items": { "type": "string" } }, "is_first": { "description": "Whether to deliver only the first activity. Default: false.", "default": false, "anyOf": [{ "type": "boolean" }, { "type": "string", "pattern": "\\$\\{", "description": "Expression." }] }, "automation_id": { "description": "Identifier of a workflow-automation mapping, kept for tracking by the caller. In a fan-out, ${each.type}, ${each.campaign_id} and ${each.key} are the values of each webhook.", "type": "string" }, "secret": { "$ref": "#/$defs/secret", "description": "Shared secret. The service adds it to each event, so the receiver can verify that the event is genuine. The service never returns it. A new secret replaces the webhook. In a fan-out, ${each.type}, ${each.campaign_id} and ${each.key} are the values of each webhook." }, "allow_duplicate": { "description": "Whether to allow a duplicate of this webhook, or another one with the same URL that delivers some of the same events. Default: false. A duplicate delivers every event twice, so creating one is otherwise an error; an overlap is a warning.", "anyOf": [{ "type": "boolean" }, { "type": "string", "pattern": "\\$\\{", "description": "Expression." }] }, "rotation": { "description": "Order of a replace: `delete_first` (default; no event is delivered in between) or `create_first` (for a moment both deliver; change a query parameter of `target_url` too, because the service may allow one webhook per URL).", "default": "delete_first", "anyOf": [{ "enum": ["delete_first", "create_first"] }, { "type": "string" }] }, "protect": { "description": "Whether to block a delete, a destroy, and every replace except one for a new secret. If you remove the block, the last applied value still applies.", "default": false, "anyOf": [{ "type": "boolean" }, { "type": "string", "pattern": "\\$\\{", "description": "Expression." }] }, "allow_empty": { "type": "boolean", "default": false, "description": "Whether to allow an empty list or filter. Otherwise it is an error." }, "prune": { "type": "boolean", "default": false, "description": "Whether to delete the webhooks of a campaign that leaves the filter. Otherwise outreach keeps them, with a note." } } } }, "lead_unsubscriptions": { "type": "object", "description": "Leads to unsubscribe from campaigns, as named lists. The service documents no way to undo it.", "propertyNames": { "pattern": "^(?:(?![\\u115f\\u1160\\u3164\\uffa0])[\\p{L}_])(?:(?![\\u115f\\u1160\\u3164\\uffa0])[\\p{L}\\p{N}_-])*$" }, "additionalProperties": { "type": "object", "additionalProperties": false, "description": "Unsubscribes a lead from a campaign. The service documents no way to undo it: if you remove the declaration, it is only forgotten.", "required": [], "properties": { "campaign_id": { "description": "Campaign to unsubscribe the lead from.", "examples": ["cam_000001"], "type": "string" }, "campaign": { "type": "string", "description": "Name of a block under data.campaign, instead of the id." }, "campaigns": { "type": ["string", "array"], "description": "Fan-out over campaigns: the name of a block under data.campaigns, or a list of names under data.campaign.", "items": { "type": "string" } }, "email": { "description": "Email address of the lead. Case does not matter, nor does the form of an international address.", "examples": ["ada@example.com"], "type": "string" }, "emails": { "type": "array", "description": "Email addresses of the leads. Case does not matter, and duplicates count once.", "items": { "type": "string" }, "examples": [["ada@example.com"]] }, "emails_from": { "type": ["string", "object"], "minLength": 1, "additionalProperties": false, "required": ["file"], "properties": { "file": { "type": "string", "minLength": 1, "description": "Path of the file." }, "column": { "type": "string", "minLength": 1, "description": "Column with the addresses, as its header has it. Case does not matter." } }, "description": "File with more addresses, in the configuration's folder or below it: one address per line, or a CSV with an email column. { file, column } names another column. At most 50 MB.", "examples": ["suppressions/2026-11.csv"] }, "on_not_found": { "description": "Result if the campaign has no such lead. `warn` (default) records it as done with a warning, `ignore` without one. `error` fails. `retry` fails, and every apply tries again until the lead exists.", "default": "warn", "anyOf": [{ "enum": ["warn", "ignore", "error", "retry"] }, { "type": "string" }] }, "allow_empty": { "type": "boolean", "default": false, "description": "Whether to allow an empty list or filter. Otherwise it is an error." }, "prune": { "type": "boolean", "default": false, "description": "Whether to delete the webhooks of a campaign that leaves the filter. Otherwise outreach keeps them, with a note." } } } }, "imports": { "type": "array", "description": "Existing objects of the service to manage. An object that is already in the state stays as it is.", "items": { "type": "object", "additionalProperties": false, "required": ["to", "id"], "properties": { "to": { "type": "string", "minLength": 1, "description": "Address that declares the object.", "examples": ["outreach_webhook.crm-replies"] }, "id": { "type": "string", "minLength": 1, "description": "Id of the webhook, or CAMPAIGN_ID/EMAIL of an unsubscription that is already done.", "examples": ["hoo_000001"] } } } }, "moved": { "type": "array", "description": "Blocks and instances with a new address. The state keeps their objects, at the new address.", "items": { "type": "object", "additionalProperties": false, "required": ["from", "to"], "properties": { "from": { "type": "string", "minLength": 1, "description": "Old address of a block or an instance.", "examples": ["outreach_webhook.crm"] }, "to": { "type": "string", "minLength": 1, "description": "New address.", "examples": ["outreach_webhook.crm-replies"] } } } }, "removed": { "type": "array", "description": "Blocks that you no longer declare, and whether to delete their objects.", "items": { "type": "object", "additionalProperties": false, "required": ["from"], "properties": { "from": { "type": "string", "minLength": 1, "description": "Address of the block. It includes all instances.", "examples": ["outreach_webhook.audit"] }, "destroy": { "type": "boolean", "default": true, "description": "Whether to delete the objects in the service. If false, outreach only forgets them." } } } }, "outputs": { "type": "object", "description": "Values to show after an apply. The state stores them for outreach output.", "propertyNames": { "pattern": "^(?:(?![\\u115f\\u1160\\u3164\\uffa0])[\\p{L}_])(?:(?![\\u115f\\u1160\\u3164\\uffa0])[\\p{L}\\p{N}_-])*$" }, "additionalProperties": { "type": ["string", "number", "boolean", "array", "object"], "description": "Expression, or a map with value, sensitive and description.", "items": { "type": ["string", "number", "boolean"] }, "additionalProperties": false, "properties": { "value": { "type": ["string", "number", "boolean", "array"], "items": { "type": ["string", "number", "boolean"] }, "description": "Value to show.", "examples": ["${data.outreach_campaign.q3.id}"] }, "sensitive": { "type": "boolean", "default": false, "description": "Whether to mask it in the list of all outputs. A value from a sensitive variable is always masked." }, "description": { "type": "string", "description": "Purpose, for readers." } }, "examples": ["${data.outreach_campaign.q3.id}"] } }, "checks": { "type": "object", "description": "Conditions that must hold. Every plan evaluates them, and every apply again at its end.", "propertyNames": { "pattern": "^(?:(?![\\u115f\\u1160\\u3164\\uffa0])[\\p{L}_])(?:(?![\\u115f\\u1160\\u3164\\uffa0])[\\p{L}\\p{N}_-])*$" }, "additionalProperties": { "type": "object", "additionalProperties": false, "required": ["condition", "message"], "properties": { "condition": { "type": "string", "minLength": 1, "description": "Expression that must be true. It can use variables, data and attributes of managed objects.", "examples": ["${length(data.outreach_webhooks.all.webhooks) <= 90}"] }, "message": { "type": "string", "minLength": 1, "description": "Text to show if it is not true. It may contain expressions.", "examples": ["Too many webhooks."] }, "severity": { "enum": ["warning", "error"], "default": "warning", "description": "What a failure means: a warning is shown, an error stops the apply." } } } }, "limits": { "type": "object", "additionalProperties": false, "description": "Limits of one apply. A plan that exceeds a limit fails, and names the flag that allows it.", "properties": { "delete": { "type": ["integer", "string"], "minimum": 0, "pattern": "^(100|[1-9]?[0-9])%$", "description": "Maximum deletes, as a number or a percentage of the managed webhooks. Default: a plan fails if it deletes more than 3 and more than 30%.", "examples": ["30%"] }, "replace": { "type": ["integer", "string"], "minimum": 0, "pattern": "^(100|[1-9]?[0-9])%$", "description": "Maximum webhooks to replace for another reason than a new secret, as a number or a percentage. Default: a plan fails if it replaces more than 3 and more than 30%.", "examples": ["30%"] }, "recreate": { "type": ["integer", "string"], "minimum": 0, "pattern": "^(100|[1-9]?[0-9])%$", "description": "Maximum missing webhooks to create again, as a number or a percentage. Default: a plan fails if more than 3 and more than 20% are missing.", "examples": ["20%"] }, "unsubscribe": { "type": ["integer", "string"], "minimum": 0, "pattern": "^(100|[1-9]?[0-9])%$", "description": "Maximum unsubscriptions of a plan that nobody approves by typing yes: with --auto-approve, and of a saved plan.", "examples": [50], "default": 100 } } } }, "$defs": { "secret": { "description": "Source of a secret. The configuration never contains the secret.", "type": "object", "additionalProperties": false, "minProperties": 1, "not": { "anyOf": [{ "required": ["env", "file"] }, { "required": ["env", "command"] }, { "required": ["file", "command"] }] }, "properties": { "env": { "type": "string", "minLength": 1, "description": "Name of an environment variable, as in HOOK_SECRET or HOOK_SECRET_${var.stage}. Its value is used unchanged." }, "file": { "type": "string", "minLength": 1, "description": "File in the configuration's folder, or below it, as in secrets/${var.stage}/hook. One final newline is stripped." }, "command": { "type": "array", "minItems": 1, "items": { "type": "string" }, "description": "Program and its arguments. One final newline of its output is stripped." } } } } };
var schema32 = { "description": "Source of a secret. The configuration never contains the secret.", "type": "object", "additionalProperties": false, "minProperties": 1, "not": { "anyOf": [{ "required": ["env", "file"] }, { "required": ["env", "command"] }, { "required": ["file", "command"] }] }, "properties": { "env": { "type": "string", "minLength": 1, "description": "Name of an environment variable, as in HOOK_SECRET or HOOK_SECRET_${var.stage}. Its value is used unchanged." }, "file": { "type": "string", "minLength": 1, "description": "File in the configuration's folder, or below it, as in secrets/${var.stage}/hook. One final newline is stripped." }, "command": { "type": "array", "minItems": 1, "items": { "type": "string" }, "description": "Program and its arguments. One final newline of its output is stripped." } } };
var func1 = Object.prototype.hasOwnProperty;
var func2 = require_ucs2length().default;
var pattern4 = new RegExp("^(100|[1-9][0-9]?)%$", "u");
var pattern5 = new RegExp("^(?:(?![\\u115f\\u1160\\u3164\\uffa0])[\\p{L}_])(?:(?![\\u115f\\u1160\\u3164\\uffa0])[\\p{L}\\p{N}_-])*$", "u");
var pattern6 = new RegExp("^[a-z0-9][a-z0-9_-]{0,62}$", "u");
var pattern14 = new RegExp("\\$\\{", "u");
var pattern20 = new RegExp("^(100|[1-9]?[0-9])%$", "u");
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
          if (!(key1 === "base_url" || key1 === "rate_share" || key1 === "unique_target_url" || key1 === "api_key")) {
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
        if (data1.unique_target_url !== void 0) {
          let data4 = data1.unique_target_url;
          if (typeof data4 !== "boolean") {
            const err7 = { instancePath: instancePath + "/service/unique_target_url", schemaPath: "#/properties/service/properties/unique_target_url/type", keyword: "type", params: { type: "boolean" }, message: "must be boolean", schema: schema31.properties.service.properties.unique_target_url.type, parentSchema: schema31.properties.service.properties.unique_target_url, data: data4 };
            if (vErrors === null) {
              vErrors = [err7];
            } else {
              vErrors.push(err7);
            }
            errors++;
          }
        }
        if (data1.api_key !== void 0) {
          let data5 = data1.api_key;
          const _errs15 = errors;
          const _errs16 = errors;
          const _errs17 = errors;
          let valid4 = false;
          const _errs18 = errors;
          if (data5 && typeof data5 == "object" && !Array.isArray(data5)) {
            let missing0;
            if (data5.env === void 0 && (missing0 = "env") || data5.file === void 0 && (missing0 = "file")) {
              const err8 = {};
              if (vErrors === null) {
                vErrors = [err8];
              } else {
                vErrors.push(err8);
              }
              errors++;
            }
          }
          var _valid0 = _errs18 === errors;
          valid4 = valid4 || _valid0;
          const _errs19 = errors;
          if (data5 && typeof data5 == "object" && !Array.isArray(data5)) {
            let missing1;
            if (data5.env === void 0 && (missing1 = "env") || data5.command === void 0 && (missing1 = "command")) {
              const err9 = {};
              if (vErrors === null) {
                vErrors = [err9];
              } else {
                vErrors.push(err9);
              }
              errors++;
            }
          }
          var _valid0 = _errs19 === errors;
          valid4 = valid4 || _valid0;
          const _errs20 = errors;
          if (data5 && typeof data5 == "object" && !Array.isArray(data5)) {
            let missing2;
            if (data5.file === void 0 && (missing2 = "file") || data5.command === void 0 && (missing2 = "command")) {
              const err10 = {};
              if (vErrors === null) {
                vErrors = [err10];
              } else {
                vErrors.push(err10);
              }
              errors++;
            }
          }
          var _valid0 = _errs20 === errors;
          valid4 = valid4 || _valid0;
          if (!valid4) {
            const err11 = {};
            if (vErrors === null) {
              vErrors = [err11];
            } else {
              vErrors.push(err11);
            }
            errors++;
          } else {
            errors = _errs17;
            if (vErrors !== null) {
              if (_errs17) {
                vErrors.length = _errs17;
              } else {
                vErrors = null;
              }
            }
          }
          var valid3 = _errs16 === errors;
          if (valid3) {
            const err12 = { instancePath: instancePath + "/service/api_key", schemaPath: "#/$defs/secret/not", keyword: "not", params: {}, message: "must NOT be valid", schema: schema32.not, parentSchema: schema32, data: data5 };
            if (vErrors === null) {
              vErrors = [err12];
            } else {
              vErrors.push(err12);
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
          if (data5 && typeof data5 == "object" && !Array.isArray(data5)) {
            if (Object.keys(data5).length < 1) {
              const err13 = { instancePath: instancePath + "/service/api_key", schemaPath: "#/$defs/secret/minProperties", keyword: "minProperties", params: { limit: 1 }, message: "must NOT have fewer than 1 properties", schema: 1, parentSchema: schema32, data: data5 };
              if (vErrors === null) {
                vErrors = [err13];
              } else {
                vErrors.push(err13);
              }
              errors++;
            }
            for (const key2 in data5) {
              if (!(key2 === "env" || key2 === "file" || key2 === "command")) {
                const err14 = { instancePath: instancePath + "/service/api_key", schemaPath: "#/$defs/secret/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key2 }, message: "must NOT have additional properties", schema: false, parentSchema: schema32, data: data5 };
                if (vErrors === null) {
                  vErrors = [err14];
                } else {
                  vErrors.push(err14);
                }
                errors++;
              }
            }
            if (data5.env !== void 0) {
              let data6 = data5.env;
              if (typeof data6 === "string") {
                if (func2(data6) < 1) {
                  const err15 = { instancePath: instancePath + "/service/api_key/env", schemaPath: "#/$defs/secret/properties/env/minLength", keyword: "minLength", params: { limit: 1 }, message: "must NOT have fewer than 1 characters", schema: 1, parentSchema: schema32.properties.env, data: data6 };
                  if (vErrors === null) {
                    vErrors = [err15];
                  } else {
                    vErrors.push(err15);
                  }
                  errors++;
                }
              } else {
                const err16 = { instancePath: instancePath + "/service/api_key/env", schemaPath: "#/$defs/secret/properties/env/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema32.properties.env.type, parentSchema: schema32.properties.env, data: data6 };
                if (vErrors === null) {
                  vErrors = [err16];
                } else {
                  vErrors.push(err16);
                }
                errors++;
              }
            }
            if (data5.file !== void 0) {
              let data7 = data5.file;
              if (typeof data7 === "string") {
                if (func2(data7) < 1) {
                  const err17 = { instancePath: instancePath + "/service/api_key/file", schemaPath: "#/$defs/secret/properties/file/minLength", keyword: "minLength", params: { limit: 1 }, message: "must NOT have fewer than 1 characters", schema: 1, parentSchema: schema32.properties.file, data: data7 };
                  if (vErrors === null) {
                    vErrors = [err17];
                  } else {
                    vErrors.push(err17);
                  }
                  errors++;
                }
              } else {
                const err18 = { instancePath: instancePath + "/service/api_key/file", schemaPath: "#/$defs/secret/properties/file/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema32.properties.file.type, parentSchema: schema32.properties.file, data: data7 };
                if (vErrors === null) {
                  vErrors = [err18];
                } else {
                  vErrors.push(err18);
                }
                errors++;
              }
            }
            if (data5.command !== void 0) {
              let data8 = data5.command;
              if (Array.isArray(data8)) {
                if (data8.length < 1) {
                  const err19 = { instancePath: instancePath + "/service/api_key/command", schemaPath: "#/$defs/secret/properties/command/minItems", keyword: "minItems", params: { limit: 1 }, message: "must NOT have fewer than 1 items", schema: 1, parentSchema: schema32.properties.command, data: data8 };
                  if (vErrors === null) {
                    vErrors = [err19];
                  } else {
                    vErrors.push(err19);
                  }
                  errors++;
                }
                const len0 = data8.length;
                for (let i0 = 0; i0 < len0; i0++) {
                  let data9 = data8[i0];
                  if (typeof data9 !== "string") {
                    const err20 = { instancePath: instancePath + "/service/api_key/command/" + i0, schemaPath: "#/$defs/secret/properties/command/items/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema32.properties.command.items.type, parentSchema: schema32.properties.command.items, data: data9 };
                    if (vErrors === null) {
                      vErrors = [err20];
                    } else {
                      vErrors.push(err20);
                    }
                    errors++;
                  }
                }
              } else {
                const err21 = { instancePath: instancePath + "/service/api_key/command", schemaPath: "#/$defs/secret/properties/command/type", keyword: "type", params: { type: "array" }, message: "must be array", schema: schema32.properties.command.type, parentSchema: schema32.properties.command, data: data8 };
                if (vErrors === null) {
                  vErrors = [err21];
                } else {
                  vErrors.push(err21);
                }
                errors++;
              }
            }
          } else {
            const err22 = { instancePath: instancePath + "/service/api_key", schemaPath: "#/$defs/secret/type", keyword: "type", params: { type: "object" }, message: "must be object", schema: schema32.type, parentSchema: schema32, data: data5 };
            if (vErrors === null) {
              vErrors = [err22];
            } else {
              vErrors.push(err22);
            }
            errors++;
          }
        }
      } else {
        const err23 = { instancePath: instancePath + "/service", schemaPath: "#/properties/service/type", keyword: "type", params: { type: "object" }, message: "must be object", schema: schema31.properties.service.type, parentSchema: schema31.properties.service, data: data1 };
        if (vErrors === null) {
          vErrors = [err23];
        } else {
          vErrors.push(err23);
        }
        errors++;
      }
    }
    if (data.state !== void 0) {
      let data10 = data.state;
      if (data10 && typeof data10 == "object" && !Array.isArray(data10)) {
        for (const key3 in data10) {
          if (!func1.call(schema31.properties.state.properties, key3)) {
            const err24 = { instancePath: instancePath + "/state", schemaPath: "#/properties/state/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key3 }, message: "must NOT have additional properties", schema: false, parentSchema: schema31.properties.state, data: data10 };
            if (vErrors === null) {
              vErrors = [err24];
            } else {
              vErrors.push(err24);
            }
            errors++;
          }
        }
        if (data10.backend !== void 0) {
          let data11 = data10.backend;
          if (!(data11 === "local" || data11 === "http" || data11 === "s3" || data11 === "pg")) {
            const err25 = { instancePath: instancePath + "/state/backend", schemaPath: "#/properties/state/properties/backend/enum", keyword: "enum", params: { allowedValues: schema31.properties.state.properties.backend.enum }, message: "must be equal to one of the allowed values", schema: schema31.properties.state.properties.backend.enum, parentSchema: schema31.properties.state.properties.backend, data: data11 };
            if (vErrors === null) {
              vErrors = [err25];
            } else {
              vErrors.push(err25);
            }
            errors++;
          }
        }
        if (data10.encryption !== void 0) {
          let data12 = data10.encryption;
          const _errs36 = errors;
          const _errs37 = errors;
          if (data12 && typeof data12 == "object" && !Array.isArray(data12)) {
            let missing3;
            if (data12.passphrase === void 0 && (missing3 = "passphrase") || data12.key === void 0 && (missing3 = "key")) {
              const err26 = {};
              if (vErrors === null) {
                vErrors = [err26];
              } else {
                vErrors.push(err26);
              }
              errors++;
            }
          }
          var valid9 = _errs37 === errors;
          if (valid9) {
            const err27 = { instancePath: instancePath + "/state/encryption", schemaPath: "#/properties/state/properties/encryption/not", keyword: "not", params: {}, message: "must NOT be valid", schema: schema31.properties.state.properties.encryption.not, parentSchema: schema31.properties.state.properties.encryption, data: data12 };
            if (vErrors === null) {
              vErrors = [err27];
            } else {
              vErrors.push(err27);
            }
            errors++;
          } else {
            errors = _errs36;
            if (vErrors !== null) {
              if (_errs36) {
                vErrors.length = _errs36;
              } else {
                vErrors = null;
              }
            }
          }
          if (data12 && typeof data12 == "object" && !Array.isArray(data12)) {
            if (Object.keys(data12).length < 1) {
              const err28 = { instancePath: instancePath + "/state/encryption", schemaPath: "#/properties/state/properties/encryption/minProperties", keyword: "minProperties", params: { limit: 1 }, message: "must NOT have fewer than 1 properties", schema: 1, parentSchema: schema31.properties.state.properties.encryption, data: data12 };
              if (vErrors === null) {
                vErrors = [err28];
              } else {
                vErrors.push(err28);
              }
              errors++;
            }
            for (const key4 in data12) {
              if (!(key4 === "passphrase" || key4 === "key" || key4 === "fallback")) {
                const err29 = { instancePath: instancePath + "/state/encryption", schemaPath: "#/properties/state/properties/encryption/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key4 }, message: "must NOT have additional properties", schema: false, parentSchema: schema31.properties.state.properties.encryption, data: data12 };
                if (vErrors === null) {
                  vErrors = [err29];
                } else {
                  vErrors.push(err29);
                }
                errors++;
              }
            }
            if (data12.passphrase !== void 0) {
              let data13 = data12.passphrase;
              const _errs42 = errors;
              const _errs43 = errors;
              const _errs44 = errors;
              let valid13 = false;
              const _errs45 = errors;
              if (data13 && typeof data13 == "object" && !Array.isArray(data13)) {
                let missing4;
                if (data13.env === void 0 && (missing4 = "env") || data13.file === void 0 && (missing4 = "file")) {
                  const err30 = {};
                  if (vErrors === null) {
                    vErrors = [err30];
                  } else {
                    vErrors.push(err30);
                  }
                  errors++;
                }
              }
              var _valid1 = _errs45 === errors;
              valid13 = valid13 || _valid1;
              const _errs46 = errors;
              if (data13 && typeof data13 == "object" && !Array.isArray(data13)) {
                let missing5;
                if (data13.env === void 0 && (missing5 = "env") || data13.command === void 0 && (missing5 = "command")) {
                  const err31 = {};
                  if (vErrors === null) {
                    vErrors = [err31];
                  } else {
                    vErrors.push(err31);
                  }
                  errors++;
                }
              }
              var _valid1 = _errs46 === errors;
              valid13 = valid13 || _valid1;
              const _errs47 = errors;
              if (data13 && typeof data13 == "object" && !Array.isArray(data13)) {
                let missing6;
                if (data13.file === void 0 && (missing6 = "file") || data13.command === void 0 && (missing6 = "command")) {
                  const err32 = {};
                  if (vErrors === null) {
                    vErrors = [err32];
                  } else {
                    vErrors.push(err32);
                  }
                  errors++;
                }
              }
              var _valid1 = _errs47 === errors;
              valid13 = valid13 || _valid1;
              if (!valid13) {
                const err33 = {};
                if (vErrors === null) {
                  vErrors = [err33];
                } else {
                  vErrors.push(err33);
                }
                errors++;
              } else {
                errors = _errs44;
                if (vErrors !== null) {
                  if (_errs44) {
                    vErrors.length = _errs44;
                  } else {
                    vErrors = null;
                  }
                }
              }
              var valid12 = _errs43 === errors;
              if (valid12) {
                const err34 = { instancePath: instancePath + "/state/encryption/passphrase", schemaPath: "#/$defs/secret/not", keyword: "not", params: {}, message: "must NOT be valid", schema: schema32.not, parentSchema: schema32, data: data13 };
                if (vErrors === null) {
                  vErrors = [err34];
                } else {
                  vErrors.push(err34);
                }
                errors++;
              } else {
                errors = _errs42;
                if (vErrors !== null) {
                  if (_errs42) {
                    vErrors.length = _errs42;
                  } else {
                    vErrors = null;
                  }
                }
              }
              if (data13 && typeof data13 == "object" && !Array.isArray(data13)) {
                if (Object.keys(data13).length < 1) {
                  const err35 = { instancePath: instancePath + "/state/encryption/passphrase", schemaPath: "#/$defs/secret/minProperties", keyword: "minProperties", params: { limit: 1 }, message: "must NOT have fewer than 1 properties", schema: 1, parentSchema: schema32, data: data13 };
                  if (vErrors === null) {
                    vErrors = [err35];
                  } else {
                    vErrors.push(err35);
                  }
                  errors++;
                }
                for (const key5 in data13) {
                  if (!(key5 === "env" || key5 === "file" || key5 === "command")) {
                    const err36 = { instancePath: instancePath + "/state/encryption/passphrase", schemaPath: "#/$defs/secret/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key5 }, message: "must NOT have additional properties", schema: false, parentSchema: schema32, data: data13 };
                    if (vErrors === null) {
                      vErrors = [err36];
                    } else {
                      vErrors.push(err36);
                    }
                    errors++;
                  }
                }
                if (data13.env !== void 0) {
                  let data14 = data13.env;
                  if (typeof data14 === "string") {
                    if (func2(data14) < 1) {
                      const err37 = { instancePath: instancePath + "/state/encryption/passphrase/env", schemaPath: "#/$defs/secret/properties/env/minLength", keyword: "minLength", params: { limit: 1 }, message: "must NOT have fewer than 1 characters", schema: 1, parentSchema: schema32.properties.env, data: data14 };
                      if (vErrors === null) {
                        vErrors = [err37];
                      } else {
                        vErrors.push(err37);
                      }
                      errors++;
                    }
                  } else {
                    const err38 = { instancePath: instancePath + "/state/encryption/passphrase/env", schemaPath: "#/$defs/secret/properties/env/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema32.properties.env.type, parentSchema: schema32.properties.env, data: data14 };
                    if (vErrors === null) {
                      vErrors = [err38];
                    } else {
                      vErrors.push(err38);
                    }
                    errors++;
                  }
                }
                if (data13.file !== void 0) {
                  let data15 = data13.file;
                  if (typeof data15 === "string") {
                    if (func2(data15) < 1) {
                      const err39 = { instancePath: instancePath + "/state/encryption/passphrase/file", schemaPath: "#/$defs/secret/properties/file/minLength", keyword: "minLength", params: { limit: 1 }, message: "must NOT have fewer than 1 characters", schema: 1, parentSchema: schema32.properties.file, data: data15 };
                      if (vErrors === null) {
                        vErrors = [err39];
                      } else {
                        vErrors.push(err39);
                      }
                      errors++;
                    }
                  } else {
                    const err40 = { instancePath: instancePath + "/state/encryption/passphrase/file", schemaPath: "#/$defs/secret/properties/file/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema32.properties.file.type, parentSchema: schema32.properties.file, data: data15 };
                    if (vErrors === null) {
                      vErrors = [err40];
                    } else {
                      vErrors.push(err40);
                    }
                    errors++;
                  }
                }
                if (data13.command !== void 0) {
                  let data16 = data13.command;
                  if (Array.isArray(data16)) {
                    if (data16.length < 1) {
                      const err41 = { instancePath: instancePath + "/state/encryption/passphrase/command", schemaPath: "#/$defs/secret/properties/command/minItems", keyword: "minItems", params: { limit: 1 }, message: "must NOT have fewer than 1 items", schema: 1, parentSchema: schema32.properties.command, data: data16 };
                      if (vErrors === null) {
                        vErrors = [err41];
                      } else {
                        vErrors.push(err41);
                      }
                      errors++;
                    }
                    const len1 = data16.length;
                    for (let i1 = 0; i1 < len1; i1++) {
                      let data17 = data16[i1];
                      if (typeof data17 !== "string") {
                        const err42 = { instancePath: instancePath + "/state/encryption/passphrase/command/" + i1, schemaPath: "#/$defs/secret/properties/command/items/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema32.properties.command.items.type, parentSchema: schema32.properties.command.items, data: data17 };
                        if (vErrors === null) {
                          vErrors = [err42];
                        } else {
                          vErrors.push(err42);
                        }
                        errors++;
                      }
                    }
                  } else {
                    const err43 = { instancePath: instancePath + "/state/encryption/passphrase/command", schemaPath: "#/$defs/secret/properties/command/type", keyword: "type", params: { type: "array" }, message: "must be array", schema: schema32.properties.command.type, parentSchema: schema32.properties.command, data: data16 };
                    if (vErrors === null) {
                      vErrors = [err43];
                    } else {
                      vErrors.push(err43);
                    }
                    errors++;
                  }
                }
              } else {
                const err44 = { instancePath: instancePath + "/state/encryption/passphrase", schemaPath: "#/$defs/secret/type", keyword: "type", params: { type: "object" }, message: "must be object", schema: schema32.type, parentSchema: schema32, data: data13 };
                if (vErrors === null) {
                  vErrors = [err44];
                } else {
                  vErrors.push(err44);
                }
                errors++;
              }
            }
            if (data12.key !== void 0) {
              let data18 = data12.key;
              const _errs60 = errors;
              const _errs61 = errors;
              const _errs62 = errors;
              let valid19 = false;
              const _errs63 = errors;
              if (data18 && typeof data18 == "object" && !Array.isArray(data18)) {
                let missing7;
                if (data18.env === void 0 && (missing7 = "env") || data18.file === void 0 && (missing7 = "file")) {
                  const err45 = {};
                  if (vErrors === null) {
                    vErrors = [err45];
                  } else {
                    vErrors.push(err45);
                  }
                  errors++;
                }
              }
              var _valid2 = _errs63 === errors;
              valid19 = valid19 || _valid2;
              const _errs64 = errors;
              if (data18 && typeof data18 == "object" && !Array.isArray(data18)) {
                let missing8;
                if (data18.env === void 0 && (missing8 = "env") || data18.command === void 0 && (missing8 = "command")) {
                  const err46 = {};
                  if (vErrors === null) {
                    vErrors = [err46];
                  } else {
                    vErrors.push(err46);
                  }
                  errors++;
                }
              }
              var _valid2 = _errs64 === errors;
              valid19 = valid19 || _valid2;
              const _errs65 = errors;
              if (data18 && typeof data18 == "object" && !Array.isArray(data18)) {
                let missing9;
                if (data18.file === void 0 && (missing9 = "file") || data18.command === void 0 && (missing9 = "command")) {
                  const err47 = {};
                  if (vErrors === null) {
                    vErrors = [err47];
                  } else {
                    vErrors.push(err47);
                  }
                  errors++;
                }
              }
              var _valid2 = _errs65 === errors;
              valid19 = valid19 || _valid2;
              if (!valid19) {
                const err48 = {};
                if (vErrors === null) {
                  vErrors = [err48];
                } else {
                  vErrors.push(err48);
                }
                errors++;
              } else {
                errors = _errs62;
                if (vErrors !== null) {
                  if (_errs62) {
                    vErrors.length = _errs62;
                  } else {
                    vErrors = null;
                  }
                }
              }
              var valid18 = _errs61 === errors;
              if (valid18) {
                const err49 = { instancePath: instancePath + "/state/encryption/key", schemaPath: "#/$defs/secret/not", keyword: "not", params: {}, message: "must NOT be valid", schema: schema32.not, parentSchema: schema32, data: data18 };
                if (vErrors === null) {
                  vErrors = [err49];
                } else {
                  vErrors.push(err49);
                }
                errors++;
              } else {
                errors = _errs60;
                if (vErrors !== null) {
                  if (_errs60) {
                    vErrors.length = _errs60;
                  } else {
                    vErrors = null;
                  }
                }
              }
              if (data18 && typeof data18 == "object" && !Array.isArray(data18)) {
                if (Object.keys(data18).length < 1) {
                  const err50 = { instancePath: instancePath + "/state/encryption/key", schemaPath: "#/$defs/secret/minProperties", keyword: "minProperties", params: { limit: 1 }, message: "must NOT have fewer than 1 properties", schema: 1, parentSchema: schema32, data: data18 };
                  if (vErrors === null) {
                    vErrors = [err50];
                  } else {
                    vErrors.push(err50);
                  }
                  errors++;
                }
                for (const key6 in data18) {
                  if (!(key6 === "env" || key6 === "file" || key6 === "command")) {
                    const err51 = { instancePath: instancePath + "/state/encryption/key", schemaPath: "#/$defs/secret/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key6 }, message: "must NOT have additional properties", schema: false, parentSchema: schema32, data: data18 };
                    if (vErrors === null) {
                      vErrors = [err51];
                    } else {
                      vErrors.push(err51);
                    }
                    errors++;
                  }
                }
                if (data18.env !== void 0) {
                  let data19 = data18.env;
                  if (typeof data19 === "string") {
                    if (func2(data19) < 1) {
                      const err52 = { instancePath: instancePath + "/state/encryption/key/env", schemaPath: "#/$defs/secret/properties/env/minLength", keyword: "minLength", params: { limit: 1 }, message: "must NOT have fewer than 1 characters", schema: 1, parentSchema: schema32.properties.env, data: data19 };
                      if (vErrors === null) {
                        vErrors = [err52];
                      } else {
                        vErrors.push(err52);
                      }
                      errors++;
                    }
                  } else {
                    const err53 = { instancePath: instancePath + "/state/encryption/key/env", schemaPath: "#/$defs/secret/properties/env/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema32.properties.env.type, parentSchema: schema32.properties.env, data: data19 };
                    if (vErrors === null) {
                      vErrors = [err53];
                    } else {
                      vErrors.push(err53);
                    }
                    errors++;
                  }
                }
                if (data18.file !== void 0) {
                  let data20 = data18.file;
                  if (typeof data20 === "string") {
                    if (func2(data20) < 1) {
                      const err54 = { instancePath: instancePath + "/state/encryption/key/file", schemaPath: "#/$defs/secret/properties/file/minLength", keyword: "minLength", params: { limit: 1 }, message: "must NOT have fewer than 1 characters", schema: 1, parentSchema: schema32.properties.file, data: data20 };
                      if (vErrors === null) {
                        vErrors = [err54];
                      } else {
                        vErrors.push(err54);
                      }
                      errors++;
                    }
                  } else {
                    const err55 = { instancePath: instancePath + "/state/encryption/key/file", schemaPath: "#/$defs/secret/properties/file/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema32.properties.file.type, parentSchema: schema32.properties.file, data: data20 };
                    if (vErrors === null) {
                      vErrors = [err55];
                    } else {
                      vErrors.push(err55);
                    }
                    errors++;
                  }
                }
                if (data18.command !== void 0) {
                  let data21 = data18.command;
                  if (Array.isArray(data21)) {
                    if (data21.length < 1) {
                      const err56 = { instancePath: instancePath + "/state/encryption/key/command", schemaPath: "#/$defs/secret/properties/command/minItems", keyword: "minItems", params: { limit: 1 }, message: "must NOT have fewer than 1 items", schema: 1, parentSchema: schema32.properties.command, data: data21 };
                      if (vErrors === null) {
                        vErrors = [err56];
                      } else {
                        vErrors.push(err56);
                      }
                      errors++;
                    }
                    const len2 = data21.length;
                    for (let i2 = 0; i2 < len2; i2++) {
                      let data22 = data21[i2];
                      if (typeof data22 !== "string") {
                        const err57 = { instancePath: instancePath + "/state/encryption/key/command/" + i2, schemaPath: "#/$defs/secret/properties/command/items/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema32.properties.command.items.type, parentSchema: schema32.properties.command.items, data: data22 };
                        if (vErrors === null) {
                          vErrors = [err57];
                        } else {
                          vErrors.push(err57);
                        }
                        errors++;
                      }
                    }
                  } else {
                    const err58 = { instancePath: instancePath + "/state/encryption/key/command", schemaPath: "#/$defs/secret/properties/command/type", keyword: "type", params: { type: "array" }, message: "must be array", schema: schema32.properties.command.type, parentSchema: schema32.properties.command, data: data21 };
                    if (vErrors === null) {
                      vErrors = [err58];
                    } else {
                      vErrors.push(err58);
                    }
                    errors++;
                  }
                }
              } else {
                const err59 = { instancePath: instancePath + "/state/encryption/key", schemaPath: "#/$defs/secret/type", keyword: "type", params: { type: "object" }, message: "must be object", schema: schema32.type, parentSchema: schema32, data: data18 };
                if (vErrors === null) {
                  vErrors = [err59];
                } else {
                  vErrors.push(err59);
                }
                errors++;
              }
            }
            if (data12.fallback !== void 0) {
              let data23 = data12.fallback;
              const _errs76 = errors;
              let valid23 = false;
              let passing0 = null;
              const _errs77 = errors;
              if ("plain" !== data23) {
                const err60 = { instancePath: instancePath + "/state/encryption/fallback", schemaPath: "#/properties/state/properties/encryption/properties/fallback/oneOf/0/const", keyword: "const", params: { allowedValue: "plain" }, message: "must be equal to constant", schema: "plain", parentSchema: schema31.properties.state.properties.encryption.properties.fallback.oneOf[0], data: data23 };
                if (vErrors === null) {
                  vErrors = [err60];
                } else {
                  vErrors.push(err60);
                }
                errors++;
              }
              var _valid3 = _errs77 === errors;
              if (_valid3) {
                valid23 = true;
                passing0 = 0;
              }
              const _errs78 = errors;
              const _errs80 = errors;
              const _errs81 = errors;
              if (data23 && typeof data23 == "object" && !Array.isArray(data23)) {
                let missing10;
                if (data23.passphrase === void 0 && (missing10 = "passphrase") || data23.key === void 0 && (missing10 = "key")) {
                  const err61 = {};
                  if (vErrors === null) {
                    vErrors = [err61];
                  } else {
                    vErrors.push(err61);
                  }
                  errors++;
                }
              }
              var valid24 = _errs81 === errors;
              if (valid24) {
                const err62 = { instancePath: instancePath + "/state/encryption/fallback", schemaPath: "#/properties/state/properties/encryption/properties/fallback/oneOf/1/not", keyword: "not", params: {}, message: "must NOT be valid", schema: schema31.properties.state.properties.encryption.properties.fallback.oneOf[1].not, parentSchema: schema31.properties.state.properties.encryption.properties.fallback.oneOf[1], data: data23 };
                if (vErrors === null) {
                  vErrors = [err62];
                } else {
                  vErrors.push(err62);
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
              if (data23 && typeof data23 == "object" && !Array.isArray(data23)) {
                if (Object.keys(data23).length < 1) {
                  const err63 = { instancePath: instancePath + "/state/encryption/fallback", schemaPath: "#/properties/state/properties/encryption/properties/fallback/oneOf/1/minProperties", keyword: "minProperties", params: { limit: 1 }, message: "must NOT have fewer than 1 properties", schema: 1, parentSchema: schema31.properties.state.properties.encryption.properties.fallback.oneOf[1], data: data23 };
                  if (vErrors === null) {
                    vErrors = [err63];
                  } else {
                    vErrors.push(err63);
                  }
                  errors++;
                }
                for (const key7 in data23) {
                  if (!(key7 === "passphrase" || key7 === "key")) {
                    const err64 = { instancePath: instancePath + "/state/encryption/fallback", schemaPath: "#/properties/state/properties/encryption/properties/fallback/oneOf/1/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key7 }, message: "must NOT have additional properties", schema: false, parentSchema: schema31.properties.state.properties.encryption.properties.fallback.oneOf[1], data: data23 };
                    if (vErrors === null) {
                      vErrors = [err64];
                    } else {
                      vErrors.push(err64);
                    }
                    errors++;
                  }
                }
                if (data23.passphrase !== void 0) {
                  let data24 = data23.passphrase;
                  const _errs86 = errors;
                  const _errs87 = errors;
                  const _errs88 = errors;
                  let valid28 = false;
                  const _errs89 = errors;
                  if (data24 && typeof data24 == "object" && !Array.isArray(data24)) {
                    let missing11;
                    if (data24.env === void 0 && (missing11 = "env") || data24.file === void 0 && (missing11 = "file")) {
                      const err65 = {};
                      if (vErrors === null) {
                        vErrors = [err65];
                      } else {
                        vErrors.push(err65);
                      }
                      errors++;
                    }
                  }
                  var _valid4 = _errs89 === errors;
                  valid28 = valid28 || _valid4;
                  const _errs90 = errors;
                  if (data24 && typeof data24 == "object" && !Array.isArray(data24)) {
                    let missing12;
                    if (data24.env === void 0 && (missing12 = "env") || data24.command === void 0 && (missing12 = "command")) {
                      const err66 = {};
                      if (vErrors === null) {
                        vErrors = [err66];
                      } else {
                        vErrors.push(err66);
                      }
                      errors++;
                    }
                  }
                  var _valid4 = _errs90 === errors;
                  valid28 = valid28 || _valid4;
                  const _errs91 = errors;
                  if (data24 && typeof data24 == "object" && !Array.isArray(data24)) {
                    let missing13;
                    if (data24.file === void 0 && (missing13 = "file") || data24.command === void 0 && (missing13 = "command")) {
                      const err67 = {};
                      if (vErrors === null) {
                        vErrors = [err67];
                      } else {
                        vErrors.push(err67);
                      }
                      errors++;
                    }
                  }
                  var _valid4 = _errs91 === errors;
                  valid28 = valid28 || _valid4;
                  if (!valid28) {
                    const err68 = {};
                    if (vErrors === null) {
                      vErrors = [err68];
                    } else {
                      vErrors.push(err68);
                    }
                    errors++;
                  } else {
                    errors = _errs88;
                    if (vErrors !== null) {
                      if (_errs88) {
                        vErrors.length = _errs88;
                      } else {
                        vErrors = null;
                      }
                    }
                  }
                  var valid27 = _errs87 === errors;
                  if (valid27) {
                    const err69 = { instancePath: instancePath + "/state/encryption/fallback/passphrase", schemaPath: "#/$defs/secret/not", keyword: "not", params: {}, message: "must NOT be valid", schema: schema32.not, parentSchema: schema32, data: data24 };
                    if (vErrors === null) {
                      vErrors = [err69];
                    } else {
                      vErrors.push(err69);
                    }
                    errors++;
                  } else {
                    errors = _errs86;
                    if (vErrors !== null) {
                      if (_errs86) {
                        vErrors.length = _errs86;
                      } else {
                        vErrors = null;
                      }
                    }
                  }
                  if (data24 && typeof data24 == "object" && !Array.isArray(data24)) {
                    if (Object.keys(data24).length < 1) {
                      const err70 = { instancePath: instancePath + "/state/encryption/fallback/passphrase", schemaPath: "#/$defs/secret/minProperties", keyword: "minProperties", params: { limit: 1 }, message: "must NOT have fewer than 1 properties", schema: 1, parentSchema: schema32, data: data24 };
                      if (vErrors === null) {
                        vErrors = [err70];
                      } else {
                        vErrors.push(err70);
                      }
                      errors++;
                    }
                    for (const key8 in data24) {
                      if (!(key8 === "env" || key8 === "file" || key8 === "command")) {
                        const err71 = { instancePath: instancePath + "/state/encryption/fallback/passphrase", schemaPath: "#/$defs/secret/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key8 }, message: "must NOT have additional properties", schema: false, parentSchema: schema32, data: data24 };
                        if (vErrors === null) {
                          vErrors = [err71];
                        } else {
                          vErrors.push(err71);
                        }
                        errors++;
                      }
                    }
                    if (data24.env !== void 0) {
                      let data25 = data24.env;
                      if (typeof data25 === "string") {
                        if (func2(data25) < 1) {
                          const err72 = { instancePath: instancePath + "/state/encryption/fallback/passphrase/env", schemaPath: "#/$defs/secret/properties/env/minLength", keyword: "minLength", params: { limit: 1 }, message: "must NOT have fewer than 1 characters", schema: 1, parentSchema: schema32.properties.env, data: data25 };
                          if (vErrors === null) {
                            vErrors = [err72];
                          } else {
                            vErrors.push(err72);
                          }
                          errors++;
                        }
                      } else {
                        const err73 = { instancePath: instancePath + "/state/encryption/fallback/passphrase/env", schemaPath: "#/$defs/secret/properties/env/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema32.properties.env.type, parentSchema: schema32.properties.env, data: data25 };
                        if (vErrors === null) {
                          vErrors = [err73];
                        } else {
                          vErrors.push(err73);
                        }
                        errors++;
                      }
                    }
                    if (data24.file !== void 0) {
                      let data26 = data24.file;
                      if (typeof data26 === "string") {
                        if (func2(data26) < 1) {
                          const err74 = { instancePath: instancePath + "/state/encryption/fallback/passphrase/file", schemaPath: "#/$defs/secret/properties/file/minLength", keyword: "minLength", params: { limit: 1 }, message: "must NOT have fewer than 1 characters", schema: 1, parentSchema: schema32.properties.file, data: data26 };
                          if (vErrors === null) {
                            vErrors = [err74];
                          } else {
                            vErrors.push(err74);
                          }
                          errors++;
                        }
                      } else {
                        const err75 = { instancePath: instancePath + "/state/encryption/fallback/passphrase/file", schemaPath: "#/$defs/secret/properties/file/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema32.properties.file.type, parentSchema: schema32.properties.file, data: data26 };
                        if (vErrors === null) {
                          vErrors = [err75];
                        } else {
                          vErrors.push(err75);
                        }
                        errors++;
                      }
                    }
                    if (data24.command !== void 0) {
                      let data27 = data24.command;
                      if (Array.isArray(data27)) {
                        if (data27.length < 1) {
                          const err76 = { instancePath: instancePath + "/state/encryption/fallback/passphrase/command", schemaPath: "#/$defs/secret/properties/command/minItems", keyword: "minItems", params: { limit: 1 }, message: "must NOT have fewer than 1 items", schema: 1, parentSchema: schema32.properties.command, data: data27 };
                          if (vErrors === null) {
                            vErrors = [err76];
                          } else {
                            vErrors.push(err76);
                          }
                          errors++;
                        }
                        const len3 = data27.length;
                        for (let i3 = 0; i3 < len3; i3++) {
                          let data28 = data27[i3];
                          if (typeof data28 !== "string") {
                            const err77 = { instancePath: instancePath + "/state/encryption/fallback/passphrase/command/" + i3, schemaPath: "#/$defs/secret/properties/command/items/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema32.properties.command.items.type, parentSchema: schema32.properties.command.items, data: data28 };
                            if (vErrors === null) {
                              vErrors = [err77];
                            } else {
                              vErrors.push(err77);
                            }
                            errors++;
                          }
                        }
                      } else {
                        const err78 = { instancePath: instancePath + "/state/encryption/fallback/passphrase/command", schemaPath: "#/$defs/secret/properties/command/type", keyword: "type", params: { type: "array" }, message: "must be array", schema: schema32.properties.command.type, parentSchema: schema32.properties.command, data: data27 };
                        if (vErrors === null) {
                          vErrors = [err78];
                        } else {
                          vErrors.push(err78);
                        }
                        errors++;
                      }
                    }
                  } else {
                    const err79 = { instancePath: instancePath + "/state/encryption/fallback/passphrase", schemaPath: "#/$defs/secret/type", keyword: "type", params: { type: "object" }, message: "must be object", schema: schema32.type, parentSchema: schema32, data: data24 };
                    if (vErrors === null) {
                      vErrors = [err79];
                    } else {
                      vErrors.push(err79);
                    }
                    errors++;
                  }
                }
                if (data23.key !== void 0) {
                  let data29 = data23.key;
                  const _errs104 = errors;
                  const _errs105 = errors;
                  const _errs106 = errors;
                  let valid34 = false;
                  const _errs107 = errors;
                  if (data29 && typeof data29 == "object" && !Array.isArray(data29)) {
                    let missing14;
                    if (data29.env === void 0 && (missing14 = "env") || data29.file === void 0 && (missing14 = "file")) {
                      const err80 = {};
                      if (vErrors === null) {
                        vErrors = [err80];
                      } else {
                        vErrors.push(err80);
                      }
                      errors++;
                    }
                  }
                  var _valid5 = _errs107 === errors;
                  valid34 = valid34 || _valid5;
                  const _errs108 = errors;
                  if (data29 && typeof data29 == "object" && !Array.isArray(data29)) {
                    let missing15;
                    if (data29.env === void 0 && (missing15 = "env") || data29.command === void 0 && (missing15 = "command")) {
                      const err81 = {};
                      if (vErrors === null) {
                        vErrors = [err81];
                      } else {
                        vErrors.push(err81);
                      }
                      errors++;
                    }
                  }
                  var _valid5 = _errs108 === errors;
                  valid34 = valid34 || _valid5;
                  const _errs109 = errors;
                  if (data29 && typeof data29 == "object" && !Array.isArray(data29)) {
                    let missing16;
                    if (data29.file === void 0 && (missing16 = "file") || data29.command === void 0 && (missing16 = "command")) {
                      const err82 = {};
                      if (vErrors === null) {
                        vErrors = [err82];
                      } else {
                        vErrors.push(err82);
                      }
                      errors++;
                    }
                  }
                  var _valid5 = _errs109 === errors;
                  valid34 = valid34 || _valid5;
                  if (!valid34) {
                    const err83 = {};
                    if (vErrors === null) {
                      vErrors = [err83];
                    } else {
                      vErrors.push(err83);
                    }
                    errors++;
                  } else {
                    errors = _errs106;
                    if (vErrors !== null) {
                      if (_errs106) {
                        vErrors.length = _errs106;
                      } else {
                        vErrors = null;
                      }
                    }
                  }
                  var valid33 = _errs105 === errors;
                  if (valid33) {
                    const err84 = { instancePath: instancePath + "/state/encryption/fallback/key", schemaPath: "#/$defs/secret/not", keyword: "not", params: {}, message: "must NOT be valid", schema: schema32.not, parentSchema: schema32, data: data29 };
                    if (vErrors === null) {
                      vErrors = [err84];
                    } else {
                      vErrors.push(err84);
                    }
                    errors++;
                  } else {
                    errors = _errs104;
                    if (vErrors !== null) {
                      if (_errs104) {
                        vErrors.length = _errs104;
                      } else {
                        vErrors = null;
                      }
                    }
                  }
                  if (data29 && typeof data29 == "object" && !Array.isArray(data29)) {
                    if (Object.keys(data29).length < 1) {
                      const err85 = { instancePath: instancePath + "/state/encryption/fallback/key", schemaPath: "#/$defs/secret/minProperties", keyword: "minProperties", params: { limit: 1 }, message: "must NOT have fewer than 1 properties", schema: 1, parentSchema: schema32, data: data29 };
                      if (vErrors === null) {
                        vErrors = [err85];
                      } else {
                        vErrors.push(err85);
                      }
                      errors++;
                    }
                    for (const key9 in data29) {
                      if (!(key9 === "env" || key9 === "file" || key9 === "command")) {
                        const err86 = { instancePath: instancePath + "/state/encryption/fallback/key", schemaPath: "#/$defs/secret/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key9 }, message: "must NOT have additional properties", schema: false, parentSchema: schema32, data: data29 };
                        if (vErrors === null) {
                          vErrors = [err86];
                        } else {
                          vErrors.push(err86);
                        }
                        errors++;
                      }
                    }
                    if (data29.env !== void 0) {
                      let data30 = data29.env;
                      if (typeof data30 === "string") {
                        if (func2(data30) < 1) {
                          const err87 = { instancePath: instancePath + "/state/encryption/fallback/key/env", schemaPath: "#/$defs/secret/properties/env/minLength", keyword: "minLength", params: { limit: 1 }, message: "must NOT have fewer than 1 characters", schema: 1, parentSchema: schema32.properties.env, data: data30 };
                          if (vErrors === null) {
                            vErrors = [err87];
                          } else {
                            vErrors.push(err87);
                          }
                          errors++;
                        }
                      } else {
                        const err88 = { instancePath: instancePath + "/state/encryption/fallback/key/env", schemaPath: "#/$defs/secret/properties/env/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema32.properties.env.type, parentSchema: schema32.properties.env, data: data30 };
                        if (vErrors === null) {
                          vErrors = [err88];
                        } else {
                          vErrors.push(err88);
                        }
                        errors++;
                      }
                    }
                    if (data29.file !== void 0) {
                      let data31 = data29.file;
                      if (typeof data31 === "string") {
                        if (func2(data31) < 1) {
                          const err89 = { instancePath: instancePath + "/state/encryption/fallback/key/file", schemaPath: "#/$defs/secret/properties/file/minLength", keyword: "minLength", params: { limit: 1 }, message: "must NOT have fewer than 1 characters", schema: 1, parentSchema: schema32.properties.file, data: data31 };
                          if (vErrors === null) {
                            vErrors = [err89];
                          } else {
                            vErrors.push(err89);
                          }
                          errors++;
                        }
                      } else {
                        const err90 = { instancePath: instancePath + "/state/encryption/fallback/key/file", schemaPath: "#/$defs/secret/properties/file/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema32.properties.file.type, parentSchema: schema32.properties.file, data: data31 };
                        if (vErrors === null) {
                          vErrors = [err90];
                        } else {
                          vErrors.push(err90);
                        }
                        errors++;
                      }
                    }
                    if (data29.command !== void 0) {
                      let data32 = data29.command;
                      if (Array.isArray(data32)) {
                        if (data32.length < 1) {
                          const err91 = { instancePath: instancePath + "/state/encryption/fallback/key/command", schemaPath: "#/$defs/secret/properties/command/minItems", keyword: "minItems", params: { limit: 1 }, message: "must NOT have fewer than 1 items", schema: 1, parentSchema: schema32.properties.command, data: data32 };
                          if (vErrors === null) {
                            vErrors = [err91];
                          } else {
                            vErrors.push(err91);
                          }
                          errors++;
                        }
                        const len4 = data32.length;
                        for (let i4 = 0; i4 < len4; i4++) {
                          let data33 = data32[i4];
                          if (typeof data33 !== "string") {
                            const err92 = { instancePath: instancePath + "/state/encryption/fallback/key/command/" + i4, schemaPath: "#/$defs/secret/properties/command/items/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema32.properties.command.items.type, parentSchema: schema32.properties.command.items, data: data33 };
                            if (vErrors === null) {
                              vErrors = [err92];
                            } else {
                              vErrors.push(err92);
                            }
                            errors++;
                          }
                        }
                      } else {
                        const err93 = { instancePath: instancePath + "/state/encryption/fallback/key/command", schemaPath: "#/$defs/secret/properties/command/type", keyword: "type", params: { type: "array" }, message: "must be array", schema: schema32.properties.command.type, parentSchema: schema32.properties.command, data: data32 };
                        if (vErrors === null) {
                          vErrors = [err93];
                        } else {
                          vErrors.push(err93);
                        }
                        errors++;
                      }
                    }
                  } else {
                    const err94 = { instancePath: instancePath + "/state/encryption/fallback/key", schemaPath: "#/$defs/secret/type", keyword: "type", params: { type: "object" }, message: "must be object", schema: schema32.type, parentSchema: schema32, data: data29 };
                    if (vErrors === null) {
                      vErrors = [err94];
                    } else {
                      vErrors.push(err94);
                    }
                    errors++;
                  }
                }
              } else {
                const err95 = { instancePath: instancePath + "/state/encryption/fallback", schemaPath: "#/properties/state/properties/encryption/properties/fallback/oneOf/1/type", keyword: "type", params: { type: "object" }, message: "must be object", schema: schema31.properties.state.properties.encryption.properties.fallback.oneOf[1].type, parentSchema: schema31.properties.state.properties.encryption.properties.fallback.oneOf[1], data: data23 };
                if (vErrors === null) {
                  vErrors = [err95];
                } else {
                  vErrors.push(err95);
                }
                errors++;
              }
              var _valid3 = _errs78 === errors;
              if (_valid3 && valid23) {
                valid23 = false;
                passing0 = [passing0, 1];
              } else {
                if (_valid3) {
                  valid23 = true;
                  passing0 = 1;
                }
              }
              if (!valid23) {
                const err96 = { instancePath: instancePath + "/state/encryption/fallback", schemaPath: "#/properties/state/properties/encryption/properties/fallback/oneOf", keyword: "oneOf", params: { passingSchemas: passing0 }, message: "must match exactly one schema in oneOf", schema: schema31.properties.state.properties.encryption.properties.fallback.oneOf, parentSchema: schema31.properties.state.properties.encryption.properties.fallback, data: data23 };
                if (vErrors === null) {
                  vErrors = [err96];
                } else {
                  vErrors.push(err96);
                }
                errors++;
              } else {
                errors = _errs76;
                if (vErrors !== null) {
                  if (_errs76) {
                    vErrors.length = _errs76;
                  } else {
                    vErrors = null;
                  }
                }
              }
            }
          } else {
            const err97 = { instancePath: instancePath + "/state/encryption", schemaPath: "#/properties/state/properties/encryption/type", keyword: "type", params: { type: "object" }, message: "must be object", schema: schema31.properties.state.properties.encryption.type, parentSchema: schema31.properties.state.properties.encryption, data: data12 };
            if (vErrors === null) {
              vErrors = [err97];
            } else {
              vErrors.push(err97);
            }
            errors++;
          }
        }
        if (data10.path !== void 0) {
          let data34 = data10.path;
          if (typeof data34 === "string") {
            if (func2(data34) < 1) {
              const err98 = { instancePath: instancePath + "/state/path", schemaPath: "#/properties/state/properties/path/minLength", keyword: "minLength", params: { limit: 1 }, message: "must NOT have fewer than 1 characters", schema: 1, parentSchema: schema31.properties.state.properties.path, data: data34 };
              if (vErrors === null) {
                vErrors = [err98];
              } else {
                vErrors.push(err98);
              }
              errors++;
            }
          } else {
            const err99 = { instancePath: instancePath + "/state/path", schemaPath: "#/properties/state/properties/path/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema31.properties.state.properties.path.type, parentSchema: schema31.properties.state.properties.path, data: data34 };
            if (vErrors === null) {
              vErrors = [err99];
            } else {
              vErrors.push(err99);
            }
            errors++;
          }
        }
        if (data10.address !== void 0) {
          let data35 = data10.address;
          if (typeof data35 === "string") {
            if (func2(data35) < 1) {
              const err100 = { instancePath: instancePath + "/state/address", schemaPath: "#/properties/state/properties/address/minLength", keyword: "minLength", params: { limit: 1 }, message: "must NOT have fewer than 1 characters", schema: 1, parentSchema: schema31.properties.state.properties.address, data: data35 };
              if (vErrors === null) {
                vErrors = [err100];
              } else {
                vErrors.push(err100);
              }
              errors++;
            }
          } else {
            const err101 = { instancePath: instancePath + "/state/address", schemaPath: "#/properties/state/properties/address/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema31.properties.state.properties.address.type, parentSchema: schema31.properties.state.properties.address, data: data35 };
            if (vErrors === null) {
              vErrors = [err101];
            } else {
              vErrors.push(err101);
            }
            errors++;
          }
        }
        if (data10.lock_address !== void 0) {
          let data36 = data10.lock_address;
          if (typeof data36 === "string") {
            if (func2(data36) < 1) {
              const err102 = { instancePath: instancePath + "/state/lock_address", schemaPath: "#/properties/state/properties/lock_address/minLength", keyword: "minLength", params: { limit: 1 }, message: "must NOT have fewer than 1 characters", schema: 1, parentSchema: schema31.properties.state.properties.lock_address, data: data36 };
              if (vErrors === null) {
                vErrors = [err102];
              } else {
                vErrors.push(err102);
              }
              errors++;
            }
          } else {
            const err103 = { instancePath: instancePath + "/state/lock_address", schemaPath: "#/properties/state/properties/lock_address/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema31.properties.state.properties.lock_address.type, parentSchema: schema31.properties.state.properties.lock_address, data: data36 };
            if (vErrors === null) {
              vErrors = [err103];
            } else {
              vErrors.push(err103);
            }
            errors++;
          }
        }
        if (data10.unlock_address !== void 0) {
          let data37 = data10.unlock_address;
          if (typeof data37 === "string") {
            if (func2(data37) < 1) {
              const err104 = { instancePath: instancePath + "/state/unlock_address", schemaPath: "#/properties/state/properties/unlock_address/minLength", keyword: "minLength", params: { limit: 1 }, message: "must NOT have fewer than 1 characters", schema: 1, parentSchema: schema31.properties.state.properties.unlock_address, data: data37 };
              if (vErrors === null) {
                vErrors = [err104];
              } else {
                vErrors.push(err104);
              }
              errors++;
            }
          } else {
            const err105 = { instancePath: instancePath + "/state/unlock_address", schemaPath: "#/properties/state/properties/unlock_address/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema31.properties.state.properties.unlock_address.type, parentSchema: schema31.properties.state.properties.unlock_address, data: data37 };
            if (vErrors === null) {
              vErrors = [err105];
            } else {
              vErrors.push(err105);
            }
            errors++;
          }
        }
        if (data10.lock !== void 0) {
          let data38 = data10.lock;
          if (typeof data38 !== "boolean") {
            const err106 = { instancePath: instancePath + "/state/lock", schemaPath: "#/properties/state/properties/lock/type", keyword: "type", params: { type: "boolean" }, message: "must be boolean", schema: schema31.properties.state.properties.lock.type, parentSchema: schema31.properties.state.properties.lock, data: data38 };
            if (vErrors === null) {
              vErrors = [err106];
            } else {
              vErrors.push(err106);
            }
            errors++;
          }
        }
        if (data10.update_method !== void 0) {
          let data39 = data10.update_method;
          if (typeof data39 === "string") {
            if (func2(data39) < 1) {
              const err107 = { instancePath: instancePath + "/state/update_method", schemaPath: "#/properties/state/properties/update_method/minLength", keyword: "minLength", params: { limit: 1 }, message: "must NOT have fewer than 1 characters", schema: 1, parentSchema: schema31.properties.state.properties.update_method, data: data39 };
              if (vErrors === null) {
                vErrors = [err107];
              } else {
                vErrors.push(err107);
              }
              errors++;
            }
          } else {
            const err108 = { instancePath: instancePath + "/state/update_method", schemaPath: "#/properties/state/properties/update_method/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema31.properties.state.properties.update_method.type, parentSchema: schema31.properties.state.properties.update_method, data: data39 };
            if (vErrors === null) {
              vErrors = [err108];
            } else {
              vErrors.push(err108);
            }
            errors++;
          }
        }
        if (data10.lock_method !== void 0) {
          let data40 = data10.lock_method;
          if (typeof data40 === "string") {
            if (func2(data40) < 1) {
              const err109 = { instancePath: instancePath + "/state/lock_method", schemaPath: "#/properties/state/properties/lock_method/minLength", keyword: "minLength", params: { limit: 1 }, message: "must NOT have fewer than 1 characters", schema: 1, parentSchema: schema31.properties.state.properties.lock_method, data: data40 };
              if (vErrors === null) {
                vErrors = [err109];
              } else {
                vErrors.push(err109);
              }
              errors++;
            }
          } else {
            const err110 = { instancePath: instancePath + "/state/lock_method", schemaPath: "#/properties/state/properties/lock_method/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema31.properties.state.properties.lock_method.type, parentSchema: schema31.properties.state.properties.lock_method, data: data40 };
            if (vErrors === null) {
              vErrors = [err110];
            } else {
              vErrors.push(err110);
            }
            errors++;
          }
        }
        if (data10.unlock_method !== void 0) {
          let data41 = data10.unlock_method;
          if (typeof data41 === "string") {
            if (func2(data41) < 1) {
              const err111 = { instancePath: instancePath + "/state/unlock_method", schemaPath: "#/properties/state/properties/unlock_method/minLength", keyword: "minLength", params: { limit: 1 }, message: "must NOT have fewer than 1 characters", schema: 1, parentSchema: schema31.properties.state.properties.unlock_method, data: data41 };
              if (vErrors === null) {
                vErrors = [err111];
              } else {
                vErrors.push(err111);
              }
              errors++;
            }
          } else {
            const err112 = { instancePath: instancePath + "/state/unlock_method", schemaPath: "#/properties/state/properties/unlock_method/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema31.properties.state.properties.unlock_method.type, parentSchema: schema31.properties.state.properties.unlock_method, data: data41 };
            if (vErrors === null) {
              vErrors = [err112];
            } else {
              vErrors.push(err112);
            }
            errors++;
          }
        }
        if (data10.username !== void 0) {
          let data42 = data10.username;
          if (typeof data42 === "string") {
            if (func2(data42) < 1) {
              const err113 = { instancePath: instancePath + "/state/username", schemaPath: "#/properties/state/properties/username/minLength", keyword: "minLength", params: { limit: 1 }, message: "must NOT have fewer than 1 characters", schema: 1, parentSchema: schema31.properties.state.properties.username, data: data42 };
              if (vErrors === null) {
                vErrors = [err113];
              } else {
                vErrors.push(err113);
              }
              errors++;
            }
          } else {
            const err114 = { instancePath: instancePath + "/state/username", schemaPath: "#/properties/state/properties/username/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema31.properties.state.properties.username.type, parentSchema: schema31.properties.state.properties.username, data: data42 };
            if (vErrors === null) {
              vErrors = [err114];
            } else {
              vErrors.push(err114);
            }
            errors++;
          }
        }
        if (data10.password !== void 0) {
          let data43 = data10.password;
          const _errs140 = errors;
          const _errs141 = errors;
          const _errs142 = errors;
          let valid40 = false;
          const _errs143 = errors;
          if (data43 && typeof data43 == "object" && !Array.isArray(data43)) {
            let missing17;
            if (data43.env === void 0 && (missing17 = "env") || data43.file === void 0 && (missing17 = "file")) {
              const err115 = {};
              if (vErrors === null) {
                vErrors = [err115];
              } else {
                vErrors.push(err115);
              }
              errors++;
            }
          }
          var _valid6 = _errs143 === errors;
          valid40 = valid40 || _valid6;
          const _errs144 = errors;
          if (data43 && typeof data43 == "object" && !Array.isArray(data43)) {
            let missing18;
            if (data43.env === void 0 && (missing18 = "env") || data43.command === void 0 && (missing18 = "command")) {
              const err116 = {};
              if (vErrors === null) {
                vErrors = [err116];
              } else {
                vErrors.push(err116);
              }
              errors++;
            }
          }
          var _valid6 = _errs144 === errors;
          valid40 = valid40 || _valid6;
          const _errs145 = errors;
          if (data43 && typeof data43 == "object" && !Array.isArray(data43)) {
            let missing19;
            if (data43.file === void 0 && (missing19 = "file") || data43.command === void 0 && (missing19 = "command")) {
              const err117 = {};
              if (vErrors === null) {
                vErrors = [err117];
              } else {
                vErrors.push(err117);
              }
              errors++;
            }
          }
          var _valid6 = _errs145 === errors;
          valid40 = valid40 || _valid6;
          if (!valid40) {
            const err118 = {};
            if (vErrors === null) {
              vErrors = [err118];
            } else {
              vErrors.push(err118);
            }
            errors++;
          } else {
            errors = _errs142;
            if (vErrors !== null) {
              if (_errs142) {
                vErrors.length = _errs142;
              } else {
                vErrors = null;
              }
            }
          }
          var valid39 = _errs141 === errors;
          if (valid39) {
            const err119 = { instancePath: instancePath + "/state/password", schemaPath: "#/$defs/secret/not", keyword: "not", params: {}, message: "must NOT be valid", schema: schema32.not, parentSchema: schema32, data: data43 };
            if (vErrors === null) {
              vErrors = [err119];
            } else {
              vErrors.push(err119);
            }
            errors++;
          } else {
            errors = _errs140;
            if (vErrors !== null) {
              if (_errs140) {
                vErrors.length = _errs140;
              } else {
                vErrors = null;
              }
            }
          }
          if (data43 && typeof data43 == "object" && !Array.isArray(data43)) {
            if (Object.keys(data43).length < 1) {
              const err120 = { instancePath: instancePath + "/state/password", schemaPath: "#/$defs/secret/minProperties", keyword: "minProperties", params: { limit: 1 }, message: "must NOT have fewer than 1 properties", schema: 1, parentSchema: schema32, data: data43 };
              if (vErrors === null) {
                vErrors = [err120];
              } else {
                vErrors.push(err120);
              }
              errors++;
            }
            for (const key10 in data43) {
              if (!(key10 === "env" || key10 === "file" || key10 === "command")) {
                const err121 = { instancePath: instancePath + "/state/password", schemaPath: "#/$defs/secret/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key10 }, message: "must NOT have additional properties", schema: false, parentSchema: schema32, data: data43 };
                if (vErrors === null) {
                  vErrors = [err121];
                } else {
                  vErrors.push(err121);
                }
                errors++;
              }
            }
            if (data43.env !== void 0) {
              let data44 = data43.env;
              if (typeof data44 === "string") {
                if (func2(data44) < 1) {
                  const err122 = { instancePath: instancePath + "/state/password/env", schemaPath: "#/$defs/secret/properties/env/minLength", keyword: "minLength", params: { limit: 1 }, message: "must NOT have fewer than 1 characters", schema: 1, parentSchema: schema32.properties.env, data: data44 };
                  if (vErrors === null) {
                    vErrors = [err122];
                  } else {
                    vErrors.push(err122);
                  }
                  errors++;
                }
              } else {
                const err123 = { instancePath: instancePath + "/state/password/env", schemaPath: "#/$defs/secret/properties/env/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema32.properties.env.type, parentSchema: schema32.properties.env, data: data44 };
                if (vErrors === null) {
                  vErrors = [err123];
                } else {
                  vErrors.push(err123);
                }
                errors++;
              }
            }
            if (data43.file !== void 0) {
              let data45 = data43.file;
              if (typeof data45 === "string") {
                if (func2(data45) < 1) {
                  const err124 = { instancePath: instancePath + "/state/password/file", schemaPath: "#/$defs/secret/properties/file/minLength", keyword: "minLength", params: { limit: 1 }, message: "must NOT have fewer than 1 characters", schema: 1, parentSchema: schema32.properties.file, data: data45 };
                  if (vErrors === null) {
                    vErrors = [err124];
                  } else {
                    vErrors.push(err124);
                  }
                  errors++;
                }
              } else {
                const err125 = { instancePath: instancePath + "/state/password/file", schemaPath: "#/$defs/secret/properties/file/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema32.properties.file.type, parentSchema: schema32.properties.file, data: data45 };
                if (vErrors === null) {
                  vErrors = [err125];
                } else {
                  vErrors.push(err125);
                }
                errors++;
              }
            }
            if (data43.command !== void 0) {
              let data46 = data43.command;
              if (Array.isArray(data46)) {
                if (data46.length < 1) {
                  const err126 = { instancePath: instancePath + "/state/password/command", schemaPath: "#/$defs/secret/properties/command/minItems", keyword: "minItems", params: { limit: 1 }, message: "must NOT have fewer than 1 items", schema: 1, parentSchema: schema32.properties.command, data: data46 };
                  if (vErrors === null) {
                    vErrors = [err126];
                  } else {
                    vErrors.push(err126);
                  }
                  errors++;
                }
                const len5 = data46.length;
                for (let i5 = 0; i5 < len5; i5++) {
                  let data47 = data46[i5];
                  if (typeof data47 !== "string") {
                    const err127 = { instancePath: instancePath + "/state/password/command/" + i5, schemaPath: "#/$defs/secret/properties/command/items/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema32.properties.command.items.type, parentSchema: schema32.properties.command.items, data: data47 };
                    if (vErrors === null) {
                      vErrors = [err127];
                    } else {
                      vErrors.push(err127);
                    }
                    errors++;
                  }
                }
              } else {
                const err128 = { instancePath: instancePath + "/state/password/command", schemaPath: "#/$defs/secret/properties/command/type", keyword: "type", params: { type: "array" }, message: "must be array", schema: schema32.properties.command.type, parentSchema: schema32.properties.command, data: data46 };
                if (vErrors === null) {
                  vErrors = [err128];
                } else {
                  vErrors.push(err128);
                }
                errors++;
              }
            }
          } else {
            const err129 = { instancePath: instancePath + "/state/password", schemaPath: "#/$defs/secret/type", keyword: "type", params: { type: "object" }, message: "must be object", schema: schema32.type, parentSchema: schema32, data: data43 };
            if (vErrors === null) {
              vErrors = [err129];
            } else {
              vErrors.push(err129);
            }
            errors++;
          }
        }
        if (data10.headers !== void 0) {
          let data48 = data10.headers;
          if (data48 && typeof data48 == "object" && !Array.isArray(data48)) {
            for (const key11 in data48) {
              let data49 = data48[key11];
              const _errs159 = errors;
              let valid45 = false;
              const _errs160 = errors;
              if (typeof data49 !== "string") {
                const err130 = { instancePath: instancePath + "/state/headers/" + key11.replace(/~/g, "~0").replace(/\//g, "~1"), schemaPath: "#/properties/state/properties/headers/additionalProperties/anyOf/0/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema31.properties.state.properties.headers.additionalProperties.anyOf[0].type, parentSchema: schema31.properties.state.properties.headers.additionalProperties.anyOf[0], data: data49 };
                if (vErrors === null) {
                  vErrors = [err130];
                } else {
                  vErrors.push(err130);
                }
                errors++;
              }
              var _valid7 = _errs160 === errors;
              valid45 = valid45 || _valid7;
              const _errs162 = errors;
              const _errs165 = errors;
              const _errs166 = errors;
              const _errs167 = errors;
              let valid48 = false;
              const _errs168 = errors;
              if (data49 && typeof data49 == "object" && !Array.isArray(data49)) {
                let missing20;
                if (data49.env === void 0 && (missing20 = "env") || data49.file === void 0 && (missing20 = "file")) {
                  const err131 = {};
                  if (vErrors === null) {
                    vErrors = [err131];
                  } else {
                    vErrors.push(err131);
                  }
                  errors++;
                }
              }
              var _valid8 = _errs168 === errors;
              valid48 = valid48 || _valid8;
              const _errs169 = errors;
              if (data49 && typeof data49 == "object" && !Array.isArray(data49)) {
                let missing21;
                if (data49.env === void 0 && (missing21 = "env") || data49.command === void 0 && (missing21 = "command")) {
                  const err132 = {};
                  if (vErrors === null) {
                    vErrors = [err132];
                  } else {
                    vErrors.push(err132);
                  }
                  errors++;
                }
              }
              var _valid8 = _errs169 === errors;
              valid48 = valid48 || _valid8;
              const _errs170 = errors;
              if (data49 && typeof data49 == "object" && !Array.isArray(data49)) {
                let missing22;
                if (data49.file === void 0 && (missing22 = "file") || data49.command === void 0 && (missing22 = "command")) {
                  const err133 = {};
                  if (vErrors === null) {
                    vErrors = [err133];
                  } else {
                    vErrors.push(err133);
                  }
                  errors++;
                }
              }
              var _valid8 = _errs170 === errors;
              valid48 = valid48 || _valid8;
              if (!valid48) {
                const err134 = {};
                if (vErrors === null) {
                  vErrors = [err134];
                } else {
                  vErrors.push(err134);
                }
                errors++;
              } else {
                errors = _errs167;
                if (vErrors !== null) {
                  if (_errs167) {
                    vErrors.length = _errs167;
                  } else {
                    vErrors = null;
                  }
                }
              }
              var valid47 = _errs166 === errors;
              if (valid47) {
                const err135 = { instancePath: instancePath + "/state/headers/" + key11.replace(/~/g, "~0").replace(/\//g, "~1"), schemaPath: "#/$defs/secret/not", keyword: "not", params: {}, message: "must NOT be valid", schema: schema32.not, parentSchema: schema32, data: data49 };
                if (vErrors === null) {
                  vErrors = [err135];
                } else {
                  vErrors.push(err135);
                }
                errors++;
              } else {
                errors = _errs165;
                if (vErrors !== null) {
                  if (_errs165) {
                    vErrors.length = _errs165;
                  } else {
                    vErrors = null;
                  }
                }
              }
              if (data49 && typeof data49 == "object" && !Array.isArray(data49)) {
                if (Object.keys(data49).length < 1) {
                  const err136 = { instancePath: instancePath + "/state/headers/" + key11.replace(/~/g, "~0").replace(/\//g, "~1"), schemaPath: "#/$defs/secret/minProperties", keyword: "minProperties", params: { limit: 1 }, message: "must NOT have fewer than 1 properties", schema: 1, parentSchema: schema32, data: data49 };
                  if (vErrors === null) {
                    vErrors = [err136];
                  } else {
                    vErrors.push(err136);
                  }
                  errors++;
                }
                for (const key12 in data49) {
                  if (!(key12 === "env" || key12 === "file" || key12 === "command")) {
                    const err137 = { instancePath: instancePath + "/state/headers/" + key11.replace(/~/g, "~0").replace(/\//g, "~1"), schemaPath: "#/$defs/secret/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key12 }, message: "must NOT have additional properties", schema: false, parentSchema: schema32, data: data49 };
                    if (vErrors === null) {
                      vErrors = [err137];
                    } else {
                      vErrors.push(err137);
                    }
                    errors++;
                  }
                }
                if (data49.env !== void 0) {
                  let data50 = data49.env;
                  if (typeof data50 === "string") {
                    if (func2(data50) < 1) {
                      const err138 = { instancePath: instancePath + "/state/headers/" + key11.replace(/~/g, "~0").replace(/\//g, "~1") + "/env", schemaPath: "#/$defs/secret/properties/env/minLength", keyword: "minLength", params: { limit: 1 }, message: "must NOT have fewer than 1 characters", schema: 1, parentSchema: schema32.properties.env, data: data50 };
                      if (vErrors === null) {
                        vErrors = [err138];
                      } else {
                        vErrors.push(err138);
                      }
                      errors++;
                    }
                  } else {
                    const err139 = { instancePath: instancePath + "/state/headers/" + key11.replace(/~/g, "~0").replace(/\//g, "~1") + "/env", schemaPath: "#/$defs/secret/properties/env/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema32.properties.env.type, parentSchema: schema32.properties.env, data: data50 };
                    if (vErrors === null) {
                      vErrors = [err139];
                    } else {
                      vErrors.push(err139);
                    }
                    errors++;
                  }
                }
                if (data49.file !== void 0) {
                  let data51 = data49.file;
                  if (typeof data51 === "string") {
                    if (func2(data51) < 1) {
                      const err140 = { instancePath: instancePath + "/state/headers/" + key11.replace(/~/g, "~0").replace(/\//g, "~1") + "/file", schemaPath: "#/$defs/secret/properties/file/minLength", keyword: "minLength", params: { limit: 1 }, message: "must NOT have fewer than 1 characters", schema: 1, parentSchema: schema32.properties.file, data: data51 };
                      if (vErrors === null) {
                        vErrors = [err140];
                      } else {
                        vErrors.push(err140);
                      }
                      errors++;
                    }
                  } else {
                    const err141 = { instancePath: instancePath + "/state/headers/" + key11.replace(/~/g, "~0").replace(/\//g, "~1") + "/file", schemaPath: "#/$defs/secret/properties/file/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema32.properties.file.type, parentSchema: schema32.properties.file, data: data51 };
                    if (vErrors === null) {
                      vErrors = [err141];
                    } else {
                      vErrors.push(err141);
                    }
                    errors++;
                  }
                }
                if (data49.command !== void 0) {
                  let data52 = data49.command;
                  if (Array.isArray(data52)) {
                    if (data52.length < 1) {
                      const err142 = { instancePath: instancePath + "/state/headers/" + key11.replace(/~/g, "~0").replace(/\//g, "~1") + "/command", schemaPath: "#/$defs/secret/properties/command/minItems", keyword: "minItems", params: { limit: 1 }, message: "must NOT have fewer than 1 items", schema: 1, parentSchema: schema32.properties.command, data: data52 };
                      if (vErrors === null) {
                        vErrors = [err142];
                      } else {
                        vErrors.push(err142);
                      }
                      errors++;
                    }
                    const len6 = data52.length;
                    for (let i6 = 0; i6 < len6; i6++) {
                      let data53 = data52[i6];
                      if (typeof data53 !== "string") {
                        const err143 = { instancePath: instancePath + "/state/headers/" + key11.replace(/~/g, "~0").replace(/\//g, "~1") + "/command/" + i6, schemaPath: "#/$defs/secret/properties/command/items/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema32.properties.command.items.type, parentSchema: schema32.properties.command.items, data: data53 };
                        if (vErrors === null) {
                          vErrors = [err143];
                        } else {
                          vErrors.push(err143);
                        }
                        errors++;
                      }
                    }
                  } else {
                    const err144 = { instancePath: instancePath + "/state/headers/" + key11.replace(/~/g, "~0").replace(/\//g, "~1") + "/command", schemaPath: "#/$defs/secret/properties/command/type", keyword: "type", params: { type: "array" }, message: "must be array", schema: schema32.properties.command.type, parentSchema: schema32.properties.command, data: data52 };
                    if (vErrors === null) {
                      vErrors = [err144];
                    } else {
                      vErrors.push(err144);
                    }
                    errors++;
                  }
                }
              } else {
                const err145 = { instancePath: instancePath + "/state/headers/" + key11.replace(/~/g, "~0").replace(/\//g, "~1"), schemaPath: "#/$defs/secret/type", keyword: "type", params: { type: "object" }, message: "must be object", schema: schema32.type, parentSchema: schema32, data: data49 };
                if (vErrors === null) {
                  vErrors = [err145];
                } else {
                  vErrors.push(err145);
                }
                errors++;
              }
              var _valid7 = _errs162 === errors;
              valid45 = valid45 || _valid7;
              if (!valid45) {
                const err146 = { instancePath: instancePath + "/state/headers/" + key11.replace(/~/g, "~0").replace(/\//g, "~1"), schemaPath: "#/properties/state/properties/headers/additionalProperties/anyOf", keyword: "anyOf", params: {}, message: "must match a schema in anyOf", schema: schema31.properties.state.properties.headers.additionalProperties.anyOf, parentSchema: schema31.properties.state.properties.headers.additionalProperties, data: data49 };
                if (vErrors === null) {
                  vErrors = [err146];
                } else {
                  vErrors.push(err146);
                }
                errors++;
              } else {
                errors = _errs159;
                if (vErrors !== null) {
                  if (_errs159) {
                    vErrors.length = _errs159;
                  } else {
                    vErrors = null;
                  }
                }
              }
            }
          } else {
            const err147 = { instancePath: instancePath + "/state/headers", schemaPath: "#/properties/state/properties/headers/type", keyword: "type", params: { type: "object" }, message: "must be object", schema: schema31.properties.state.properties.headers.type, parentSchema: schema31.properties.state.properties.headers, data: data48 };
            if (vErrors === null) {
              vErrors = [err147];
            } else {
              vErrors.push(err147);
            }
            errors++;
          }
        }
        if (data10.retry_max !== void 0) {
          let data54 = data10.retry_max;
          if (!(typeof data54 == "number" && (!(data54 % 1) && !isNaN(data54)) && isFinite(data54))) {
            const err148 = { instancePath: instancePath + "/state/retry_max", schemaPath: "#/properties/state/properties/retry_max/type", keyword: "type", params: { type: "integer" }, message: "must be integer", schema: schema31.properties.state.properties.retry_max.type, parentSchema: schema31.properties.state.properties.retry_max, data: data54 };
            if (vErrors === null) {
              vErrors = [err148];
            } else {
              vErrors.push(err148);
            }
            errors++;
          }
          if (typeof data54 == "number" && isFinite(data54)) {
            if (data54 < 0 || isNaN(data54)) {
              const err149 = { instancePath: instancePath + "/state/retry_max", schemaPath: "#/properties/state/properties/retry_max/minimum", keyword: "minimum", params: { comparison: ">=", limit: 0 }, message: "must be >= 0", schema: 0, parentSchema: schema31.properties.state.properties.retry_max, data: data54 };
              if (vErrors === null) {
                vErrors = [err149];
              } else {
                vErrors.push(err149);
              }
              errors++;
            }
          }
        }
        if (data10.retry_wait_min !== void 0) {
          let data55 = data10.retry_wait_min;
          if (!(typeof data55 == "number" && (!(data55 % 1) && !isNaN(data55)) && isFinite(data55))) {
            const err150 = { instancePath: instancePath + "/state/retry_wait_min", schemaPath: "#/properties/state/properties/retry_wait_min/type", keyword: "type", params: { type: "integer" }, message: "must be integer", schema: schema31.properties.state.properties.retry_wait_min.type, parentSchema: schema31.properties.state.properties.retry_wait_min, data: data55 };
            if (vErrors === null) {
              vErrors = [err150];
            } else {
              vErrors.push(err150);
            }
            errors++;
          }
          if (typeof data55 == "number" && isFinite(data55)) {
            if (data55 < 0 || isNaN(data55)) {
              const err151 = { instancePath: instancePath + "/state/retry_wait_min", schemaPath: "#/properties/state/properties/retry_wait_min/minimum", keyword: "minimum", params: { comparison: ">=", limit: 0 }, message: "must be >= 0", schema: 0, parentSchema: schema31.properties.state.properties.retry_wait_min, data: data55 };
              if (vErrors === null) {
                vErrors = [err151];
              } else {
                vErrors.push(err151);
              }
              errors++;
            }
          }
        }
        if (data10.retry_wait_max !== void 0) {
          let data56 = data10.retry_wait_max;
          if (!(typeof data56 == "number" && (!(data56 % 1) && !isNaN(data56)) && isFinite(data56))) {
            const err152 = { instancePath: instancePath + "/state/retry_wait_max", schemaPath: "#/properties/state/properties/retry_wait_max/type", keyword: "type", params: { type: "integer" }, message: "must be integer", schema: schema31.properties.state.properties.retry_wait_max.type, parentSchema: schema31.properties.state.properties.retry_wait_max, data: data56 };
            if (vErrors === null) {
              vErrors = [err152];
            } else {
              vErrors.push(err152);
            }
            errors++;
          }
          if (typeof data56 == "number" && isFinite(data56)) {
            if (data56 < 0 || isNaN(data56)) {
              const err153 = { instancePath: instancePath + "/state/retry_wait_max", schemaPath: "#/properties/state/properties/retry_wait_max/minimum", keyword: "minimum", params: { comparison: ">=", limit: 0 }, message: "must be >= 0", schema: 0, parentSchema: schema31.properties.state.properties.retry_wait_max, data: data56 };
              if (vErrors === null) {
                vErrors = [err153];
              } else {
                vErrors.push(err153);
              }
              errors++;
            }
          }
        }
        if (data10.bucket !== void 0) {
          let data57 = data10.bucket;
          if (typeof data57 === "string") {
            if (func2(data57) < 1) {
              const err154 = { instancePath: instancePath + "/state/bucket", schemaPath: "#/properties/state/properties/bucket/minLength", keyword: "minLength", params: { limit: 1 }, message: "must NOT have fewer than 1 characters", schema: 1, parentSchema: schema31.properties.state.properties.bucket, data: data57 };
              if (vErrors === null) {
                vErrors = [err154];
              } else {
                vErrors.push(err154);
              }
              errors++;
            }
          } else {
            const err155 = { instancePath: instancePath + "/state/bucket", schemaPath: "#/properties/state/properties/bucket/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema31.properties.state.properties.bucket.type, parentSchema: schema31.properties.state.properties.bucket, data: data57 };
            if (vErrors === null) {
              vErrors = [err155];
            } else {
              vErrors.push(err155);
            }
            errors++;
          }
        }
        if (data10.key !== void 0) {
          let data58 = data10.key;
          if (typeof data58 === "string") {
            if (func2(data58) < 1) {
              const err156 = { instancePath: instancePath + "/state/key", schemaPath: "#/properties/state/properties/key/minLength", keyword: "minLength", params: { limit: 1 }, message: "must NOT have fewer than 1 characters", schema: 1, parentSchema: schema31.properties.state.properties.key, data: data58 };
              if (vErrors === null) {
                vErrors = [err156];
              } else {
                vErrors.push(err156);
              }
              errors++;
            }
          } else {
            const err157 = { instancePath: instancePath + "/state/key", schemaPath: "#/properties/state/properties/key/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema31.properties.state.properties.key.type, parentSchema: schema31.properties.state.properties.key, data: data58 };
            if (vErrors === null) {
              vErrors = [err157];
            } else {
              vErrors.push(err157);
            }
            errors++;
          }
        }
        if (data10.region !== void 0) {
          let data59 = data10.region;
          if (typeof data59 === "string") {
            if (func2(data59) < 1) {
              const err158 = { instancePath: instancePath + "/state/region", schemaPath: "#/properties/state/properties/region/minLength", keyword: "minLength", params: { limit: 1 }, message: "must NOT have fewer than 1 characters", schema: 1, parentSchema: schema31.properties.state.properties.region, data: data59 };
              if (vErrors === null) {
                vErrors = [err158];
              } else {
                vErrors.push(err158);
              }
              errors++;
            }
          } else {
            const err159 = { instancePath: instancePath + "/state/region", schemaPath: "#/properties/state/properties/region/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema31.properties.state.properties.region.type, parentSchema: schema31.properties.state.properties.region, data: data59 };
            if (vErrors === null) {
              vErrors = [err159];
            } else {
              vErrors.push(err159);
            }
            errors++;
          }
        }
        if (data10.endpoint !== void 0) {
          let data60 = data10.endpoint;
          if (typeof data60 === "string") {
            if (func2(data60) < 1) {
              const err160 = { instancePath: instancePath + "/state/endpoint", schemaPath: "#/properties/state/properties/endpoint/minLength", keyword: "minLength", params: { limit: 1 }, message: "must NOT have fewer than 1 characters", schema: 1, parentSchema: schema31.properties.state.properties.endpoint, data: data60 };
              if (vErrors === null) {
                vErrors = [err160];
              } else {
                vErrors.push(err160);
              }
              errors++;
            }
          } else {
            const err161 = { instancePath: instancePath + "/state/endpoint", schemaPath: "#/properties/state/properties/endpoint/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema31.properties.state.properties.endpoint.type, parentSchema: schema31.properties.state.properties.endpoint, data: data60 };
            if (vErrors === null) {
              vErrors = [err161];
            } else {
              vErrors.push(err161);
            }
            errors++;
          }
        }
        if (data10.use_path_style !== void 0) {
          let data61 = data10.use_path_style;
          if (typeof data61 !== "boolean") {
            const err162 = { instancePath: instancePath + "/state/use_path_style", schemaPath: "#/properties/state/properties/use_path_style/type", keyword: "type", params: { type: "boolean" }, message: "must be boolean", schema: schema31.properties.state.properties.use_path_style.type, parentSchema: schema31.properties.state.properties.use_path_style, data: data61 };
            if (vErrors === null) {
              vErrors = [err162];
            } else {
              vErrors.push(err162);
            }
            errors++;
          }
        }
        if (data10.server_side_encryption !== void 0) {
          let data62 = data10.server_side_encryption;
          if (typeof data62 === "string") {
            if (func2(data62) < 1) {
              const err163 = { instancePath: instancePath + "/state/server_side_encryption", schemaPath: "#/properties/state/properties/server_side_encryption/minLength", keyword: "minLength", params: { limit: 1 }, message: "must NOT have fewer than 1 characters", schema: 1, parentSchema: schema31.properties.state.properties.server_side_encryption, data: data62 };
              if (vErrors === null) {
                vErrors = [err163];
              } else {
                vErrors.push(err163);
              }
              errors++;
            }
          } else {
            const err164 = { instancePath: instancePath + "/state/server_side_encryption", schemaPath: "#/properties/state/properties/server_side_encryption/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema31.properties.state.properties.server_side_encryption.type, parentSchema: schema31.properties.state.properties.server_side_encryption, data: data62 };
            if (vErrors === null) {
              vErrors = [err164];
            } else {
              vErrors.push(err164);
            }
            errors++;
          }
        }
        if (data10.kms_key_id !== void 0) {
          let data63 = data10.kms_key_id;
          if (typeof data63 === "string") {
            if (func2(data63) < 1) {
              const err165 = { instancePath: instancePath + "/state/kms_key_id", schemaPath: "#/properties/state/properties/kms_key_id/minLength", keyword: "minLength", params: { limit: 1 }, message: "must NOT have fewer than 1 characters", schema: 1, parentSchema: schema31.properties.state.properties.kms_key_id, data: data63 };
              if (vErrors === null) {
                vErrors = [err165];
              } else {
                vErrors.push(err165);
              }
              errors++;
            }
          } else {
            const err166 = { instancePath: instancePath + "/state/kms_key_id", schemaPath: "#/properties/state/properties/kms_key_id/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema31.properties.state.properties.kms_key_id.type, parentSchema: schema31.properties.state.properties.kms_key_id, data: data63 };
            if (vErrors === null) {
              vErrors = [err166];
            } else {
              vErrors.push(err166);
            }
            errors++;
          }
        }
        if (data10.credentials !== void 0) {
          let data64 = data10.credentials;
          const _errs203 = errors;
          const _errs204 = errors;
          const _errs205 = errors;
          let valid54 = false;
          const _errs206 = errors;
          if (data64 && typeof data64 == "object" && !Array.isArray(data64)) {
            let missing23;
            if (data64.env === void 0 && (missing23 = "env") || data64.file === void 0 && (missing23 = "file")) {
              const err167 = {};
              if (vErrors === null) {
                vErrors = [err167];
              } else {
                vErrors.push(err167);
              }
              errors++;
            }
          }
          var _valid9 = _errs206 === errors;
          valid54 = valid54 || _valid9;
          const _errs207 = errors;
          if (data64 && typeof data64 == "object" && !Array.isArray(data64)) {
            let missing24;
            if (data64.env === void 0 && (missing24 = "env") || data64.command === void 0 && (missing24 = "command")) {
              const err168 = {};
              if (vErrors === null) {
                vErrors = [err168];
              } else {
                vErrors.push(err168);
              }
              errors++;
            }
          }
          var _valid9 = _errs207 === errors;
          valid54 = valid54 || _valid9;
          const _errs208 = errors;
          if (data64 && typeof data64 == "object" && !Array.isArray(data64)) {
            let missing25;
            if (data64.file === void 0 && (missing25 = "file") || data64.command === void 0 && (missing25 = "command")) {
              const err169 = {};
              if (vErrors === null) {
                vErrors = [err169];
              } else {
                vErrors.push(err169);
              }
              errors++;
            }
          }
          var _valid9 = _errs208 === errors;
          valid54 = valid54 || _valid9;
          if (!valid54) {
            const err170 = {};
            if (vErrors === null) {
              vErrors = [err170];
            } else {
              vErrors.push(err170);
            }
            errors++;
          } else {
            errors = _errs205;
            if (vErrors !== null) {
              if (_errs205) {
                vErrors.length = _errs205;
              } else {
                vErrors = null;
              }
            }
          }
          var valid53 = _errs204 === errors;
          if (valid53) {
            const err171 = { instancePath: instancePath + "/state/credentials", schemaPath: "#/$defs/secret/not", keyword: "not", params: {}, message: "must NOT be valid", schema: schema32.not, parentSchema: schema32, data: data64 };
            if (vErrors === null) {
              vErrors = [err171];
            } else {
              vErrors.push(err171);
            }
            errors++;
          } else {
            errors = _errs203;
            if (vErrors !== null) {
              if (_errs203) {
                vErrors.length = _errs203;
              } else {
                vErrors = null;
              }
            }
          }
          if (data64 && typeof data64 == "object" && !Array.isArray(data64)) {
            if (Object.keys(data64).length < 1) {
              const err172 = { instancePath: instancePath + "/state/credentials", schemaPath: "#/$defs/secret/minProperties", keyword: "minProperties", params: { limit: 1 }, message: "must NOT have fewer than 1 properties", schema: 1, parentSchema: schema32, data: data64 };
              if (vErrors === null) {
                vErrors = [err172];
              } else {
                vErrors.push(err172);
              }
              errors++;
            }
            for (const key13 in data64) {
              if (!(key13 === "env" || key13 === "file" || key13 === "command")) {
                const err173 = { instancePath: instancePath + "/state/credentials", schemaPath: "#/$defs/secret/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key13 }, message: "must NOT have additional properties", schema: false, parentSchema: schema32, data: data64 };
                if (vErrors === null) {
                  vErrors = [err173];
                } else {
                  vErrors.push(err173);
                }
                errors++;
              }
            }
            if (data64.env !== void 0) {
              let data65 = data64.env;
              if (typeof data65 === "string") {
                if (func2(data65) < 1) {
                  const err174 = { instancePath: instancePath + "/state/credentials/env", schemaPath: "#/$defs/secret/properties/env/minLength", keyword: "minLength", params: { limit: 1 }, message: "must NOT have fewer than 1 characters", schema: 1, parentSchema: schema32.properties.env, data: data65 };
                  if (vErrors === null) {
                    vErrors = [err174];
                  } else {
                    vErrors.push(err174);
                  }
                  errors++;
                }
              } else {
                const err175 = { instancePath: instancePath + "/state/credentials/env", schemaPath: "#/$defs/secret/properties/env/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema32.properties.env.type, parentSchema: schema32.properties.env, data: data65 };
                if (vErrors === null) {
                  vErrors = [err175];
                } else {
                  vErrors.push(err175);
                }
                errors++;
              }
            }
            if (data64.file !== void 0) {
              let data66 = data64.file;
              if (typeof data66 === "string") {
                if (func2(data66) < 1) {
                  const err176 = { instancePath: instancePath + "/state/credentials/file", schemaPath: "#/$defs/secret/properties/file/minLength", keyword: "minLength", params: { limit: 1 }, message: "must NOT have fewer than 1 characters", schema: 1, parentSchema: schema32.properties.file, data: data66 };
                  if (vErrors === null) {
                    vErrors = [err176];
                  } else {
                    vErrors.push(err176);
                  }
                  errors++;
                }
              } else {
                const err177 = { instancePath: instancePath + "/state/credentials/file", schemaPath: "#/$defs/secret/properties/file/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema32.properties.file.type, parentSchema: schema32.properties.file, data: data66 };
                if (vErrors === null) {
                  vErrors = [err177];
                } else {
                  vErrors.push(err177);
                }
                errors++;
              }
            }
            if (data64.command !== void 0) {
              let data67 = data64.command;
              if (Array.isArray(data67)) {
                if (data67.length < 1) {
                  const err178 = { instancePath: instancePath + "/state/credentials/command", schemaPath: "#/$defs/secret/properties/command/minItems", keyword: "minItems", params: { limit: 1 }, message: "must NOT have fewer than 1 items", schema: 1, parentSchema: schema32.properties.command, data: data67 };
                  if (vErrors === null) {
                    vErrors = [err178];
                  } else {
                    vErrors.push(err178);
                  }
                  errors++;
                }
                const len7 = data67.length;
                for (let i7 = 0; i7 < len7; i7++) {
                  let data68 = data67[i7];
                  if (typeof data68 !== "string") {
                    const err179 = { instancePath: instancePath + "/state/credentials/command/" + i7, schemaPath: "#/$defs/secret/properties/command/items/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema32.properties.command.items.type, parentSchema: schema32.properties.command.items, data: data68 };
                    if (vErrors === null) {
                      vErrors = [err179];
                    } else {
                      vErrors.push(err179);
                    }
                    errors++;
                  }
                }
              } else {
                const err180 = { instancePath: instancePath + "/state/credentials/command", schemaPath: "#/$defs/secret/properties/command/type", keyword: "type", params: { type: "array" }, message: "must be array", schema: schema32.properties.command.type, parentSchema: schema32.properties.command, data: data67 };
                if (vErrors === null) {
                  vErrors = [err180];
                } else {
                  vErrors.push(err180);
                }
                errors++;
              }
            }
          } else {
            const err181 = { instancePath: instancePath + "/state/credentials", schemaPath: "#/$defs/secret/type", keyword: "type", params: { type: "object" }, message: "must be object", schema: schema32.type, parentSchema: schema32, data: data64 };
            if (vErrors === null) {
              vErrors = [err181];
            } else {
              vErrors.push(err181);
            }
            errors++;
          }
        }
        if (data10.url !== void 0) {
          let data69 = data10.url;
          const _errs221 = errors;
          const _errs222 = errors;
          const _errs223 = errors;
          let valid60 = false;
          const _errs224 = errors;
          if (data69 && typeof data69 == "object" && !Array.isArray(data69)) {
            let missing26;
            if (data69.env === void 0 && (missing26 = "env") || data69.file === void 0 && (missing26 = "file")) {
              const err182 = {};
              if (vErrors === null) {
                vErrors = [err182];
              } else {
                vErrors.push(err182);
              }
              errors++;
            }
          }
          var _valid10 = _errs224 === errors;
          valid60 = valid60 || _valid10;
          const _errs225 = errors;
          if (data69 && typeof data69 == "object" && !Array.isArray(data69)) {
            let missing27;
            if (data69.env === void 0 && (missing27 = "env") || data69.command === void 0 && (missing27 = "command")) {
              const err183 = {};
              if (vErrors === null) {
                vErrors = [err183];
              } else {
                vErrors.push(err183);
              }
              errors++;
            }
          }
          var _valid10 = _errs225 === errors;
          valid60 = valid60 || _valid10;
          const _errs226 = errors;
          if (data69 && typeof data69 == "object" && !Array.isArray(data69)) {
            let missing28;
            if (data69.file === void 0 && (missing28 = "file") || data69.command === void 0 && (missing28 = "command")) {
              const err184 = {};
              if (vErrors === null) {
                vErrors = [err184];
              } else {
                vErrors.push(err184);
              }
              errors++;
            }
          }
          var _valid10 = _errs226 === errors;
          valid60 = valid60 || _valid10;
          if (!valid60) {
            const err185 = {};
            if (vErrors === null) {
              vErrors = [err185];
            } else {
              vErrors.push(err185);
            }
            errors++;
          } else {
            errors = _errs223;
            if (vErrors !== null) {
              if (_errs223) {
                vErrors.length = _errs223;
              } else {
                vErrors = null;
              }
            }
          }
          var valid59 = _errs222 === errors;
          if (valid59) {
            const err186 = { instancePath: instancePath + "/state/url", schemaPath: "#/$defs/secret/not", keyword: "not", params: {}, message: "must NOT be valid", schema: schema32.not, parentSchema: schema32, data: data69 };
            if (vErrors === null) {
              vErrors = [err186];
            } else {
              vErrors.push(err186);
            }
            errors++;
          } else {
            errors = _errs221;
            if (vErrors !== null) {
              if (_errs221) {
                vErrors.length = _errs221;
              } else {
                vErrors = null;
              }
            }
          }
          if (data69 && typeof data69 == "object" && !Array.isArray(data69)) {
            if (Object.keys(data69).length < 1) {
              const err187 = { instancePath: instancePath + "/state/url", schemaPath: "#/$defs/secret/minProperties", keyword: "minProperties", params: { limit: 1 }, message: "must NOT have fewer than 1 properties", schema: 1, parentSchema: schema32, data: data69 };
              if (vErrors === null) {
                vErrors = [err187];
              } else {
                vErrors.push(err187);
              }
              errors++;
            }
            for (const key14 in data69) {
              if (!(key14 === "env" || key14 === "file" || key14 === "command")) {
                const err188 = { instancePath: instancePath + "/state/url", schemaPath: "#/$defs/secret/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key14 }, message: "must NOT have additional properties", schema: false, parentSchema: schema32, data: data69 };
                if (vErrors === null) {
                  vErrors = [err188];
                } else {
                  vErrors.push(err188);
                }
                errors++;
              }
            }
            if (data69.env !== void 0) {
              let data70 = data69.env;
              if (typeof data70 === "string") {
                if (func2(data70) < 1) {
                  const err189 = { instancePath: instancePath + "/state/url/env", schemaPath: "#/$defs/secret/properties/env/minLength", keyword: "minLength", params: { limit: 1 }, message: "must NOT have fewer than 1 characters", schema: 1, parentSchema: schema32.properties.env, data: data70 };
                  if (vErrors === null) {
                    vErrors = [err189];
                  } else {
                    vErrors.push(err189);
                  }
                  errors++;
                }
              } else {
                const err190 = { instancePath: instancePath + "/state/url/env", schemaPath: "#/$defs/secret/properties/env/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema32.properties.env.type, parentSchema: schema32.properties.env, data: data70 };
                if (vErrors === null) {
                  vErrors = [err190];
                } else {
                  vErrors.push(err190);
                }
                errors++;
              }
            }
            if (data69.file !== void 0) {
              let data71 = data69.file;
              if (typeof data71 === "string") {
                if (func2(data71) < 1) {
                  const err191 = { instancePath: instancePath + "/state/url/file", schemaPath: "#/$defs/secret/properties/file/minLength", keyword: "minLength", params: { limit: 1 }, message: "must NOT have fewer than 1 characters", schema: 1, parentSchema: schema32.properties.file, data: data71 };
                  if (vErrors === null) {
                    vErrors = [err191];
                  } else {
                    vErrors.push(err191);
                  }
                  errors++;
                }
              } else {
                const err192 = { instancePath: instancePath + "/state/url/file", schemaPath: "#/$defs/secret/properties/file/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema32.properties.file.type, parentSchema: schema32.properties.file, data: data71 };
                if (vErrors === null) {
                  vErrors = [err192];
                } else {
                  vErrors.push(err192);
                }
                errors++;
              }
            }
            if (data69.command !== void 0) {
              let data72 = data69.command;
              if (Array.isArray(data72)) {
                if (data72.length < 1) {
                  const err193 = { instancePath: instancePath + "/state/url/command", schemaPath: "#/$defs/secret/properties/command/minItems", keyword: "minItems", params: { limit: 1 }, message: "must NOT have fewer than 1 items", schema: 1, parentSchema: schema32.properties.command, data: data72 };
                  if (vErrors === null) {
                    vErrors = [err193];
                  } else {
                    vErrors.push(err193);
                  }
                  errors++;
                }
                const len8 = data72.length;
                for (let i8 = 0; i8 < len8; i8++) {
                  let data73 = data72[i8];
                  if (typeof data73 !== "string") {
                    const err194 = { instancePath: instancePath + "/state/url/command/" + i8, schemaPath: "#/$defs/secret/properties/command/items/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema32.properties.command.items.type, parentSchema: schema32.properties.command.items, data: data73 };
                    if (vErrors === null) {
                      vErrors = [err194];
                    } else {
                      vErrors.push(err194);
                    }
                    errors++;
                  }
                }
              } else {
                const err195 = { instancePath: instancePath + "/state/url/command", schemaPath: "#/$defs/secret/properties/command/type", keyword: "type", params: { type: "array" }, message: "must be array", schema: schema32.properties.command.type, parentSchema: schema32.properties.command, data: data72 };
                if (vErrors === null) {
                  vErrors = [err195];
                } else {
                  vErrors.push(err195);
                }
                errors++;
              }
            }
          } else {
            const err196 = { instancePath: instancePath + "/state/url", schemaPath: "#/$defs/secret/type", keyword: "type", params: { type: "object" }, message: "must be object", schema: schema32.type, parentSchema: schema32, data: data69 };
            if (vErrors === null) {
              vErrors = [err196];
            } else {
              vErrors.push(err196);
            }
            errors++;
          }
        }
        if (data10.schema !== void 0) {
          let data74 = data10.schema;
          if (typeof data74 === "string") {
            if (func2(data74) < 1) {
              const err197 = { instancePath: instancePath + "/state/schema", schemaPath: "#/properties/state/properties/schema/minLength", keyword: "minLength", params: { limit: 1 }, message: "must NOT have fewer than 1 characters", schema: 1, parentSchema: schema31.properties.state.properties.schema, data: data74 };
              if (vErrors === null) {
                vErrors = [err197];
              } else {
                vErrors.push(err197);
              }
              errors++;
            }
          } else {
            const err198 = { instancePath: instancePath + "/state/schema", schemaPath: "#/properties/state/properties/schema/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema31.properties.state.properties.schema.type, parentSchema: schema31.properties.state.properties.schema, data: data74 };
            if (vErrors === null) {
              vErrors = [err198];
            } else {
              vErrors.push(err198);
            }
            errors++;
          }
        }
        if (data10.name !== void 0) {
          let data75 = data10.name;
          if (typeof data75 === "string") {
            if (func2(data75) < 1) {
              const err199 = { instancePath: instancePath + "/state/name", schemaPath: "#/properties/state/properties/name/minLength", keyword: "minLength", params: { limit: 1 }, message: "must NOT have fewer than 1 characters", schema: 1, parentSchema: schema31.properties.state.properties.name, data: data75 };
              if (vErrors === null) {
                vErrors = [err199];
              } else {
                vErrors.push(err199);
              }
              errors++;
            }
          } else {
            const err200 = { instancePath: instancePath + "/state/name", schemaPath: "#/properties/state/properties/name/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema31.properties.state.properties.name.type, parentSchema: schema31.properties.state.properties.name, data: data75 };
            if (vErrors === null) {
              vErrors = [err200];
            } else {
              vErrors.push(err200);
            }
            errors++;
          }
        }
      } else {
        const err201 = { instancePath: instancePath + "/state", schemaPath: "#/properties/state/type", keyword: "type", params: { type: "object" }, message: "must be object", schema: schema31.properties.state.type, parentSchema: schema31.properties.state, data: data10 };
        if (vErrors === null) {
          vErrors = [err201];
        } else {
          vErrors.push(err201);
        }
        errors++;
      }
    }
    if (data.variables !== void 0) {
      let data76 = data.variables;
      if (data76 && typeof data76 == "object" && !Array.isArray(data76)) {
        for (const key15 in data76) {
          const _errs242 = errors;
          if (typeof key15 === "string") {
            if (!pattern5.test(key15)) {
              const err202 = { instancePath: instancePath + "/variables", schemaPath: "#/properties/variables/propertyNames/pattern", keyword: "pattern", params: { pattern: "^(?:(?![\\u115f\\u1160\\u3164\\uffa0])[\\p{L}_])(?:(?![\\u115f\\u1160\\u3164\\uffa0])[\\p{L}\\p{N}_-])*$" }, message: 'must match pattern "^(?:(?![\\u115f\\u1160\\u3164\\uffa0])[\\p{L}_])(?:(?![\\u115f\\u1160\\u3164\\uffa0])[\\p{L}\\p{N}_-])*$"', schema: "^(?:(?![\\u115f\\u1160\\u3164\\uffa0])[\\p{L}_])(?:(?![\\u115f\\u1160\\u3164\\uffa0])[\\p{L}\\p{N}_-])*$", parentSchema: schema31.properties.variables.propertyNames, data: key15, propertyName: key15 };
              if (vErrors === null) {
                vErrors = [err202];
              } else {
                vErrors.push(err202);
              }
              errors++;
            }
          }
          var valid64 = _errs242 === errors;
          if (!valid64) {
            const err203 = { instancePath: instancePath + "/variables", schemaPath: "#/properties/variables/propertyNames", keyword: "propertyNames", params: { propertyName: key15 }, message: "property name must be valid", schema: schema31.properties.variables.propertyNames, parentSchema: schema31.properties.variables, data: data76 };
            if (vErrors === null) {
              vErrors = [err203];
            } else {
              vErrors.push(err203);
            }
            errors++;
          }
        }
        for (const key16 in data76) {
          let data77 = data76[key16];
          if (!(data77 && typeof data77 == "object" && !Array.isArray(data77)) && data77 !== null) {
            const err204 = { instancePath: instancePath + "/variables/" + key16.replace(/~/g, "~0").replace(/\//g, "~1"), schemaPath: "#/properties/variables/additionalProperties/type", keyword: "type", params: { type: schema31.properties.variables.additionalProperties.type }, message: "must be object,null", schema: schema31.properties.variables.additionalProperties.type, parentSchema: schema31.properties.variables.additionalProperties, data: data77 };
            if (vErrors === null) {
              vErrors = [err204];
            } else {
              vErrors.push(err204);
            }
            errors++;
          }
          if (data77 && typeof data77 == "object" && !Array.isArray(data77)) {
            for (const key17 in data77) {
              if (!(key17 === "default" || key17 === "allowed" || key17 === "sensitive" || key17 === "description")) {
                const err205 = { instancePath: instancePath + "/variables/" + key16.replace(/~/g, "~0").replace(/\//g, "~1"), schemaPath: "#/properties/variables/additionalProperties/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key17 }, message: "must NOT have additional properties", schema: false, parentSchema: schema31.properties.variables.additionalProperties, data: data77 };
                if (vErrors === null) {
                  vErrors = [err205];
                } else {
                  vErrors.push(err205);
                }
                errors++;
              }
            }
            if (data77.default !== void 0) {
              let data78 = data77.default;
              if (typeof data78 !== "string" && !(typeof data78 == "number" && isFinite(data78)) && typeof data78 !== "boolean") {
                const err206 = { instancePath: instancePath + "/variables/" + key16.replace(/~/g, "~0").replace(/\//g, "~1") + "/default", schemaPath: "#/properties/variables/additionalProperties/properties/default/type", keyword: "type", params: { type: schema31.properties.variables.additionalProperties.properties.default.type }, message: "must be string,number,boolean", schema: schema31.properties.variables.additionalProperties.properties.default.type, parentSchema: schema31.properties.variables.additionalProperties.properties.default, data: data78 };
                if (vErrors === null) {
                  vErrors = [err206];
                } else {
                  vErrors.push(err206);
                }
                errors++;
              }
            }
            if (data77.allowed !== void 0) {
              let data79 = data77.allowed;
              if (Array.isArray(data79)) {
                if (data79.length < 1) {
                  const err207 = { instancePath: instancePath + "/variables/" + key16.replace(/~/g, "~0").replace(/\//g, "~1") + "/allowed", schemaPath: "#/properties/variables/additionalProperties/properties/allowed/minItems", keyword: "minItems", params: { limit: 1 }, message: "must NOT have fewer than 1 items", schema: 1, parentSchema: schema31.properties.variables.additionalProperties.properties.allowed, data: data79 };
                  if (vErrors === null) {
                    vErrors = [err207];
                  } else {
                    vErrors.push(err207);
                  }
                  errors++;
                }
                const len9 = data79.length;
                for (let i9 = 0; i9 < len9; i9++) {
                  let data80 = data79[i9];
                  if (typeof data80 !== "string" && !(typeof data80 == "number" && isFinite(data80)) && typeof data80 !== "boolean") {
                    const err208 = { instancePath: instancePath + "/variables/" + key16.replace(/~/g, "~0").replace(/\//g, "~1") + "/allowed/" + i9, schemaPath: "#/properties/variables/additionalProperties/properties/allowed/items/type", keyword: "type", params: { type: schema31.properties.variables.additionalProperties.properties.allowed.items.type }, message: "must be string,number,boolean", schema: schema31.properties.variables.additionalProperties.properties.allowed.items.type, parentSchema: schema31.properties.variables.additionalProperties.properties.allowed.items, data: data80 };
                    if (vErrors === null) {
                      vErrors = [err208];
                    } else {
                      vErrors.push(err208);
                    }
                    errors++;
                  }
                }
              } else {
                const err209 = { instancePath: instancePath + "/variables/" + key16.replace(/~/g, "~0").replace(/\//g, "~1") + "/allowed", schemaPath: "#/properties/variables/additionalProperties/properties/allowed/type", keyword: "type", params: { type: "array" }, message: "must be array", schema: schema31.properties.variables.additionalProperties.properties.allowed.type, parentSchema: schema31.properties.variables.additionalProperties.properties.allowed, data: data79 };
                if (vErrors === null) {
                  vErrors = [err209];
                } else {
                  vErrors.push(err209);
                }
                errors++;
              }
            }
            if (data77.sensitive !== void 0) {
              let data81 = data77.sensitive;
              if (typeof data81 !== "boolean") {
                const err210 = { instancePath: instancePath + "/variables/" + key16.replace(/~/g, "~0").replace(/\//g, "~1") + "/sensitive", schemaPath: "#/properties/variables/additionalProperties/properties/sensitive/type", keyword: "type", params: { type: "boolean" }, message: "must be boolean", schema: schema31.properties.variables.additionalProperties.properties.sensitive.type, parentSchema: schema31.properties.variables.additionalProperties.properties.sensitive, data: data81 };
                if (vErrors === null) {
                  vErrors = [err210];
                } else {
                  vErrors.push(err210);
                }
                errors++;
              }
            }
            if (data77.description !== void 0) {
              let data82 = data77.description;
              if (typeof data82 !== "string") {
                const err211 = { instancePath: instancePath + "/variables/" + key16.replace(/~/g, "~0").replace(/\//g, "~1") + "/description", schemaPath: "#/properties/variables/additionalProperties/properties/description/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema31.properties.variables.additionalProperties.properties.description.type, parentSchema: schema31.properties.variables.additionalProperties.properties.description, data: data82 };
                if (vErrors === null) {
                  vErrors = [err211];
                } else {
                  vErrors.push(err211);
                }
                errors++;
              }
            }
          }
        }
      } else {
        const err212 = { instancePath: instancePath + "/variables", schemaPath: "#/properties/variables/type", keyword: "type", params: { type: "object" }, message: "must be object", schema: schema31.properties.variables.type, parentSchema: schema31.properties.variables, data: data76 };
        if (vErrors === null) {
          vErrors = [err212];
        } else {
          vErrors.push(err212);
        }
        errors++;
      }
    }
    if (data.teams !== void 0) {
      let data83 = data.teams;
      if (data83 && typeof data83 == "object" && !Array.isArray(data83)) {
        for (const key18 in data83) {
          const _errs259 = errors;
          if (typeof key18 === "string") {
            if (!pattern6.test(key18)) {
              const err213 = { instancePath: instancePath + "/teams", schemaPath: "#/properties/teams/propertyNames/pattern", keyword: "pattern", params: { pattern: "^[a-z0-9][a-z0-9_-]{0,62}$" }, message: 'must match pattern "^[a-z0-9][a-z0-9_-]{0,62}$"', schema: "^[a-z0-9][a-z0-9_-]{0,62}$", parentSchema: schema31.properties.teams.propertyNames, data: key18, propertyName: key18 };
              if (vErrors === null) {
                vErrors = [err213];
              } else {
                vErrors.push(err213);
              }
              errors++;
            }
          }
          var valid69 = _errs259 === errors;
          if (!valid69) {
            const err214 = { instancePath: instancePath + "/teams", schemaPath: "#/properties/teams/propertyNames", keyword: "propertyNames", params: { propertyName: key18 }, message: "property name must be valid", schema: schema31.properties.teams.propertyNames, parentSchema: schema31.properties.teams, data: data83 };
            if (vErrors === null) {
              vErrors = [err214];
            } else {
              vErrors.push(err214);
            }
            errors++;
          }
        }
        for (const key19 in data83) {
          let data84 = data83[key19];
          if (!(data84 && typeof data84 == "object" && !Array.isArray(data84)) && data84 !== null) {
            const err215 = { instancePath: instancePath + "/teams/" + key19.replace(/~/g, "~0").replace(/\//g, "~1"), schemaPath: "#/properties/teams/additionalProperties/type", keyword: "type", params: { type: schema31.properties.teams.additionalProperties.type }, message: "must be object,null", schema: schema31.properties.teams.additionalProperties.type, parentSchema: schema31.properties.teams.additionalProperties, data: data84 };
            if (vErrors === null) {
              vErrors = [err215];
            } else {
              vErrors.push(err215);
            }
            errors++;
          }
          if (data84 && typeof data84 == "object" && !Array.isArray(data84)) {
            for (const key20 in data84) {
              if (!(key20 === "api_key" || key20 === "base_url" || key20 === "variables")) {
                const err216 = { instancePath: instancePath + "/teams/" + key19.replace(/~/g, "~0").replace(/\//g, "~1"), schemaPath: "#/properties/teams/additionalProperties/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key20 }, message: "must NOT have additional properties", schema: false, parentSchema: schema31.properties.teams.additionalProperties, data: data84 };
                if (vErrors === null) {
                  vErrors = [err216];
                } else {
                  vErrors.push(err216);
                }
                errors++;
              }
            }
            if (data84.api_key !== void 0) {
              let data85 = data84.api_key;
              const _errs267 = errors;
              const _errs268 = errors;
              const _errs269 = errors;
              let valid74 = false;
              const _errs270 = errors;
              if (data85 && typeof data85 == "object" && !Array.isArray(data85)) {
                let missing29;
                if (data85.env === void 0 && (missing29 = "env") || data85.file === void 0 && (missing29 = "file")) {
                  const err217 = {};
                  if (vErrors === null) {
                    vErrors = [err217];
                  } else {
                    vErrors.push(err217);
                  }
                  errors++;
                }
              }
              var _valid11 = _errs270 === errors;
              valid74 = valid74 || _valid11;
              const _errs271 = errors;
              if (data85 && typeof data85 == "object" && !Array.isArray(data85)) {
                let missing30;
                if (data85.env === void 0 && (missing30 = "env") || data85.command === void 0 && (missing30 = "command")) {
                  const err218 = {};
                  if (vErrors === null) {
                    vErrors = [err218];
                  } else {
                    vErrors.push(err218);
                  }
                  errors++;
                }
              }
              var _valid11 = _errs271 === errors;
              valid74 = valid74 || _valid11;
              const _errs272 = errors;
              if (data85 && typeof data85 == "object" && !Array.isArray(data85)) {
                let missing31;
                if (data85.file === void 0 && (missing31 = "file") || data85.command === void 0 && (missing31 = "command")) {
                  const err219 = {};
                  if (vErrors === null) {
                    vErrors = [err219];
                  } else {
                    vErrors.push(err219);
                  }
                  errors++;
                }
              }
              var _valid11 = _errs272 === errors;
              valid74 = valid74 || _valid11;
              if (!valid74) {
                const err220 = {};
                if (vErrors === null) {
                  vErrors = [err220];
                } else {
                  vErrors.push(err220);
                }
                errors++;
              } else {
                errors = _errs269;
                if (vErrors !== null) {
                  if (_errs269) {
                    vErrors.length = _errs269;
                  } else {
                    vErrors = null;
                  }
                }
              }
              var valid73 = _errs268 === errors;
              if (valid73) {
                const err221 = { instancePath: instancePath + "/teams/" + key19.replace(/~/g, "~0").replace(/\//g, "~1") + "/api_key", schemaPath: "#/$defs/secret/not", keyword: "not", params: {}, message: "must NOT be valid", schema: schema32.not, parentSchema: schema32, data: data85 };
                if (vErrors === null) {
                  vErrors = [err221];
                } else {
                  vErrors.push(err221);
                }
                errors++;
              } else {
                errors = _errs267;
                if (vErrors !== null) {
                  if (_errs267) {
                    vErrors.length = _errs267;
                  } else {
                    vErrors = null;
                  }
                }
              }
              if (data85 && typeof data85 == "object" && !Array.isArray(data85)) {
                if (Object.keys(data85).length < 1) {
                  const err222 = { instancePath: instancePath + "/teams/" + key19.replace(/~/g, "~0").replace(/\//g, "~1") + "/api_key", schemaPath: "#/$defs/secret/minProperties", keyword: "minProperties", params: { limit: 1 }, message: "must NOT have fewer than 1 properties", schema: 1, parentSchema: schema32, data: data85 };
                  if (vErrors === null) {
                    vErrors = [err222];
                  } else {
                    vErrors.push(err222);
                  }
                  errors++;
                }
                for (const key21 in data85) {
                  if (!(key21 === "env" || key21 === "file" || key21 === "command")) {
                    const err223 = { instancePath: instancePath + "/teams/" + key19.replace(/~/g, "~0").replace(/\//g, "~1") + "/api_key", schemaPath: "#/$defs/secret/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key21 }, message: "must NOT have additional properties", schema: false, parentSchema: schema32, data: data85 };
                    if (vErrors === null) {
                      vErrors = [err223];
                    } else {
                      vErrors.push(err223);
                    }
                    errors++;
                  }
                }
                if (data85.env !== void 0) {
                  let data86 = data85.env;
                  if (typeof data86 === "string") {
                    if (func2(data86) < 1) {
                      const err224 = { instancePath: instancePath + "/teams/" + key19.replace(/~/g, "~0").replace(/\//g, "~1") + "/api_key/env", schemaPath: "#/$defs/secret/properties/env/minLength", keyword: "minLength", params: { limit: 1 }, message: "must NOT have fewer than 1 characters", schema: 1, parentSchema: schema32.properties.env, data: data86 };
                      if (vErrors === null) {
                        vErrors = [err224];
                      } else {
                        vErrors.push(err224);
                      }
                      errors++;
                    }
                  } else {
                    const err225 = { instancePath: instancePath + "/teams/" + key19.replace(/~/g, "~0").replace(/\//g, "~1") + "/api_key/env", schemaPath: "#/$defs/secret/properties/env/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema32.properties.env.type, parentSchema: schema32.properties.env, data: data86 };
                    if (vErrors === null) {
                      vErrors = [err225];
                    } else {
                      vErrors.push(err225);
                    }
                    errors++;
                  }
                }
                if (data85.file !== void 0) {
                  let data87 = data85.file;
                  if (typeof data87 === "string") {
                    if (func2(data87) < 1) {
                      const err226 = { instancePath: instancePath + "/teams/" + key19.replace(/~/g, "~0").replace(/\//g, "~1") + "/api_key/file", schemaPath: "#/$defs/secret/properties/file/minLength", keyword: "minLength", params: { limit: 1 }, message: "must NOT have fewer than 1 characters", schema: 1, parentSchema: schema32.properties.file, data: data87 };
                      if (vErrors === null) {
                        vErrors = [err226];
                      } else {
                        vErrors.push(err226);
                      }
                      errors++;
                    }
                  } else {
                    const err227 = { instancePath: instancePath + "/teams/" + key19.replace(/~/g, "~0").replace(/\//g, "~1") + "/api_key/file", schemaPath: "#/$defs/secret/properties/file/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema32.properties.file.type, parentSchema: schema32.properties.file, data: data87 };
                    if (vErrors === null) {
                      vErrors = [err227];
                    } else {
                      vErrors.push(err227);
                    }
                    errors++;
                  }
                }
                if (data85.command !== void 0) {
                  let data88 = data85.command;
                  if (Array.isArray(data88)) {
                    if (data88.length < 1) {
                      const err228 = { instancePath: instancePath + "/teams/" + key19.replace(/~/g, "~0").replace(/\//g, "~1") + "/api_key/command", schemaPath: "#/$defs/secret/properties/command/minItems", keyword: "minItems", params: { limit: 1 }, message: "must NOT have fewer than 1 items", schema: 1, parentSchema: schema32.properties.command, data: data88 };
                      if (vErrors === null) {
                        vErrors = [err228];
                      } else {
                        vErrors.push(err228);
                      }
                      errors++;
                    }
                    const len10 = data88.length;
                    for (let i10 = 0; i10 < len10; i10++) {
                      let data89 = data88[i10];
                      if (typeof data89 !== "string") {
                        const err229 = { instancePath: instancePath + "/teams/" + key19.replace(/~/g, "~0").replace(/\//g, "~1") + "/api_key/command/" + i10, schemaPath: "#/$defs/secret/properties/command/items/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema32.properties.command.items.type, parentSchema: schema32.properties.command.items, data: data89 };
                        if (vErrors === null) {
                          vErrors = [err229];
                        } else {
                          vErrors.push(err229);
                        }
                        errors++;
                      }
                    }
                  } else {
                    const err230 = { instancePath: instancePath + "/teams/" + key19.replace(/~/g, "~0").replace(/\//g, "~1") + "/api_key/command", schemaPath: "#/$defs/secret/properties/command/type", keyword: "type", params: { type: "array" }, message: "must be array", schema: schema32.properties.command.type, parentSchema: schema32.properties.command, data: data88 };
                    if (vErrors === null) {
                      vErrors = [err230];
                    } else {
                      vErrors.push(err230);
                    }
                    errors++;
                  }
                }
              } else {
                const err231 = { instancePath: instancePath + "/teams/" + key19.replace(/~/g, "~0").replace(/\//g, "~1") + "/api_key", schemaPath: "#/$defs/secret/type", keyword: "type", params: { type: "object" }, message: "must be object", schema: schema32.type, parentSchema: schema32, data: data85 };
                if (vErrors === null) {
                  vErrors = [err231];
                } else {
                  vErrors.push(err231);
                }
                errors++;
              }
            }
            if (data84.base_url !== void 0) {
              let data90 = data84.base_url;
              if (typeof data90 !== "string") {
                const err232 = { instancePath: instancePath + "/teams/" + key19.replace(/~/g, "~0").replace(/\//g, "~1") + "/base_url", schemaPath: "#/properties/teams/additionalProperties/properties/base_url/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema31.properties.teams.additionalProperties.properties.base_url.type, parentSchema: schema31.properties.teams.additionalProperties.properties.base_url, data: data90 };
                if (vErrors === null) {
                  vErrors = [err232];
                } else {
                  vErrors.push(err232);
                }
                errors++;
              }
            }
            if (data84.variables !== void 0) {
              let data91 = data84.variables;
              if (data91 && typeof data91 == "object" && !Array.isArray(data91)) {
                for (const key22 in data91) {
                  const _errs286 = errors;
                  if (typeof key22 === "string") {
                    if (!pattern5.test(key22)) {
                      const err233 = { instancePath: instancePath + "/teams/" + key19.replace(/~/g, "~0").replace(/\//g, "~1") + "/variables", schemaPath: "#/properties/teams/additionalProperties/properties/variables/propertyNames/pattern", keyword: "pattern", params: { pattern: "^(?:(?![\\u115f\\u1160\\u3164\\uffa0])[\\p{L}_])(?:(?![\\u115f\\u1160\\u3164\\uffa0])[\\p{L}\\p{N}_-])*$" }, message: 'must match pattern "^(?:(?![\\u115f\\u1160\\u3164\\uffa0])[\\p{L}_])(?:(?![\\u115f\\u1160\\u3164\\uffa0])[\\p{L}\\p{N}_-])*$"', schema: "^(?:(?![\\u115f\\u1160\\u3164\\uffa0])[\\p{L}_])(?:(?![\\u115f\\u1160\\u3164\\uffa0])[\\p{L}\\p{N}_-])*$", parentSchema: schema31.properties.teams.additionalProperties.properties.variables.propertyNames, data: key22, propertyName: key22 };
                      if (vErrors === null) {
                        vErrors = [err233];
                      } else {
                        vErrors.push(err233);
                      }
                      errors++;
                    }
                  }
                  var valid78 = _errs286 === errors;
                  if (!valid78) {
                    const err234 = { instancePath: instancePath + "/teams/" + key19.replace(/~/g, "~0").replace(/\//g, "~1") + "/variables", schemaPath: "#/properties/teams/additionalProperties/properties/variables/propertyNames", keyword: "propertyNames", params: { propertyName: key22 }, message: "property name must be valid", schema: schema31.properties.teams.additionalProperties.properties.variables.propertyNames, parentSchema: schema31.properties.teams.additionalProperties.properties.variables, data: data91 };
                    if (vErrors === null) {
                      vErrors = [err234];
                    } else {
                      vErrors.push(err234);
                    }
                    errors++;
                  }
                }
                for (const key23 in data91) {
                  let data92 = data91[key23];
                  if (typeof data92 !== "string" && !(typeof data92 == "number" && isFinite(data92)) && typeof data92 !== "boolean") {
                    const err235 = { instancePath: instancePath + "/teams/" + key19.replace(/~/g, "~0").replace(/\//g, "~1") + "/variables/" + key23.replace(/~/g, "~0").replace(/\//g, "~1"), schemaPath: "#/properties/teams/additionalProperties/properties/variables/additionalProperties/type", keyword: "type", params: { type: schema31.properties.teams.additionalProperties.properties.variables.additionalProperties.type }, message: "must be string,number,boolean", schema: schema31.properties.teams.additionalProperties.properties.variables.additionalProperties.type, parentSchema: schema31.properties.teams.additionalProperties.properties.variables.additionalProperties, data: data92 };
                    if (vErrors === null) {
                      vErrors = [err235];
                    } else {
                      vErrors.push(err235);
                    }
                    errors++;
                  }
                }
              } else {
                const err236 = { instancePath: instancePath + "/teams/" + key19.replace(/~/g, "~0").replace(/\//g, "~1") + "/variables", schemaPath: "#/properties/teams/additionalProperties/properties/variables/type", keyword: "type", params: { type: "object" }, message: "must be object", schema: schema31.properties.teams.additionalProperties.properties.variables.type, parentSchema: schema31.properties.teams.additionalProperties.properties.variables, data: data91 };
                if (vErrors === null) {
                  vErrors = [err236];
                } else {
                  vErrors.push(err236);
                }
                errors++;
              }
            }
          }
        }
      } else {
        const err237 = { instancePath: instancePath + "/teams", schemaPath: "#/properties/teams/type", keyword: "type", params: { type: "object" }, message: "must be object", schema: schema31.properties.teams.type, parentSchema: schema31.properties.teams, data: data83 };
        if (vErrors === null) {
          vErrors = [err237];
        } else {
          vErrors.push(err237);
        }
        errors++;
      }
    }
    if (data.data !== void 0) {
      let data93 = data.data;
      if (data93 && typeof data93 == "object" && !Array.isArray(data93)) {
        for (const key24 in data93) {
          if (!(key24 === "campaign" || key24 === "campaigns" || key24 === "schedules" || key24 === "warmup_settings" || key24 === "webhooks")) {
            const err238 = { instancePath: instancePath + "/data", schemaPath: "#/properties/data/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key24 }, message: "must NOT have additional properties", schema: false, parentSchema: schema31.properties.data, data: data93 };
            if (vErrors === null) {
              vErrors = [err238];
            } else {
              vErrors.push(err238);
            }
            errors++;
          }
        }
        if (data93.campaign !== void 0) {
          let data94 = data93.campaign;
          if (data94 && typeof data94 == "object" && !Array.isArray(data94)) {
            for (const key25 in data94) {
              const _errs295 = errors;
              if (typeof key25 === "string") {
                if (!pattern5.test(key25)) {
                  const err239 = { instancePath: instancePath + "/data/campaign", schemaPath: "#/properties/data/properties/campaign/propertyNames/pattern", keyword: "pattern", params: { pattern: "^(?:(?![\\u115f\\u1160\\u3164\\uffa0])[\\p{L}_])(?:(?![\\u115f\\u1160\\u3164\\uffa0])[\\p{L}\\p{N}_-])*$" }, message: 'must match pattern "^(?:(?![\\u115f\\u1160\\u3164\\uffa0])[\\p{L}_])(?:(?![\\u115f\\u1160\\u3164\\uffa0])[\\p{L}\\p{N}_-])*$"', schema: "^(?:(?![\\u115f\\u1160\\u3164\\uffa0])[\\p{L}_])(?:(?![\\u115f\\u1160\\u3164\\uffa0])[\\p{L}\\p{N}_-])*$", parentSchema: schema31.properties.data.properties.campaign.propertyNames, data: key25, propertyName: key25 };
                  if (vErrors === null) {
                    vErrors = [err239];
                  } else {
                    vErrors.push(err239);
                  }
                  errors++;
                }
              }
              var valid81 = _errs295 === errors;
              if (!valid81) {
                const err240 = { instancePath: instancePath + "/data/campaign", schemaPath: "#/properties/data/properties/campaign/propertyNames", keyword: "propertyNames", params: { propertyName: key25 }, message: "property name must be valid", schema: schema31.properties.data.properties.campaign.propertyNames, parentSchema: schema31.properties.data.properties.campaign, data: data94 };
                if (vErrors === null) {
                  vErrors = [err240];
                } else {
                  vErrors.push(err240);
                }
                errors++;
              }
            }
            for (const key26 in data94) {
              let data95 = data94[key26];
              if (data95 && typeof data95 == "object" && !Array.isArray(data95)) {
                for (const key27 in data95) {
                  if (!(key27 === "id" || key27 === "name" || key27 === "status")) {
                    const err241 = { instancePath: instancePath + "/data/campaign/" + key26.replace(/~/g, "~0").replace(/\//g, "~1"), schemaPath: "#/properties/data/properties/campaign/additionalProperties/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key27 }, message: "must NOT have additional properties", schema: false, parentSchema: schema31.properties.data.properties.campaign.additionalProperties, data: data95 };
                    if (vErrors === null) {
                      vErrors = [err241];
                    } else {
                      vErrors.push(err241);
                    }
                    errors++;
                  }
                }
                if (data95.id !== void 0) {
                  let data96 = data95.id;
                  if (typeof data96 !== "string") {
                    const err242 = { instancePath: instancePath + "/data/campaign/" + key26.replace(/~/g, "~0").replace(/\//g, "~1") + "/id", schemaPath: "#/properties/data/properties/campaign/additionalProperties/properties/id/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema31.properties.data.properties.campaign.additionalProperties.properties.id.type, parentSchema: schema31.properties.data.properties.campaign.additionalProperties.properties.id, data: data96 };
                    if (vErrors === null) {
                      vErrors = [err242];
                    } else {
                      vErrors.push(err242);
                    }
                    errors++;
                  }
                }
                if (data95.name !== void 0) {
                  let data97 = data95.name;
                  if (typeof data97 !== "string") {
                    const err243 = { instancePath: instancePath + "/data/campaign/" + key26.replace(/~/g, "~0").replace(/\//g, "~1") + "/name", schemaPath: "#/properties/data/properties/campaign/additionalProperties/properties/name/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema31.properties.data.properties.campaign.additionalProperties.properties.name.type, parentSchema: schema31.properties.data.properties.campaign.additionalProperties.properties.name, data: data97 };
                    if (vErrors === null) {
                      vErrors = [err243];
                    } else {
                      vErrors.push(err243);
                    }
                    errors++;
                  }
                }
                if (data95.status !== void 0) {
                  let data98 = data95.status;
                  const _errs305 = errors;
                  let valid84 = false;
                  const _errs306 = errors;
                  if (!(data98 === "running" || data98 === "paused" || data98 === "draft" || data98 === "ended" || data98 === "archived" || data98 === "errors")) {
                    const err244 = { instancePath: instancePath + "/data/campaign/" + key26.replace(/~/g, "~0").replace(/\//g, "~1") + "/status", schemaPath: "#/properties/data/properties/campaign/additionalProperties/properties/status/anyOf/0/enum", keyword: "enum", params: { allowedValues: schema31.properties.data.properties.campaign.additionalProperties.properties.status.anyOf[0].enum }, message: "must be equal to one of the allowed values", schema: schema31.properties.data.properties.campaign.additionalProperties.properties.status.anyOf[0].enum, parentSchema: schema31.properties.data.properties.campaign.additionalProperties.properties.status.anyOf[0], data: data98 };
                    if (vErrors === null) {
                      vErrors = [err244];
                    } else {
                      vErrors.push(err244);
                    }
                    errors++;
                  }
                  var _valid12 = _errs306 === errors;
                  valid84 = valid84 || _valid12;
                  const _errs307 = errors;
                  if (typeof data98 !== "string") {
                    const err245 = { instancePath: instancePath + "/data/campaign/" + key26.replace(/~/g, "~0").replace(/\//g, "~1") + "/status", schemaPath: "#/properties/data/properties/campaign/additionalProperties/properties/status/anyOf/1/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema31.properties.data.properties.campaign.additionalProperties.properties.status.anyOf[1].type, parentSchema: schema31.properties.data.properties.campaign.additionalProperties.properties.status.anyOf[1], data: data98 };
                    if (vErrors === null) {
                      vErrors = [err245];
                    } else {
                      vErrors.push(err245);
                    }
                    errors++;
                  }
                  var _valid12 = _errs307 === errors;
                  valid84 = valid84 || _valid12;
                  if (!valid84) {
                    const err246 = { instancePath: instancePath + "/data/campaign/" + key26.replace(/~/g, "~0").replace(/\//g, "~1") + "/status", schemaPath: "#/properties/data/properties/campaign/additionalProperties/properties/status/anyOf", keyword: "anyOf", params: {}, message: "must match a schema in anyOf", schema: schema31.properties.data.properties.campaign.additionalProperties.properties.status.anyOf, parentSchema: schema31.properties.data.properties.campaign.additionalProperties.properties.status, data: data98 };
                    if (vErrors === null) {
                      vErrors = [err246];
                    } else {
                      vErrors.push(err246);
                    }
                    errors++;
                  } else {
                    errors = _errs305;
                    if (vErrors !== null) {
                      if (_errs305) {
                        vErrors.length = _errs305;
                      } else {
                        vErrors = null;
                      }
                    }
                  }
                }
              } else {
                const err247 = { instancePath: instancePath + "/data/campaign/" + key26.replace(/~/g, "~0").replace(/\//g, "~1"), schemaPath: "#/properties/data/properties/campaign/additionalProperties/type", keyword: "type", params: { type: "object" }, message: "must be object", schema: schema31.properties.data.properties.campaign.additionalProperties.type, parentSchema: schema31.properties.data.properties.campaign.additionalProperties, data: data95 };
                if (vErrors === null) {
                  vErrors = [err247];
                } else {
                  vErrors.push(err247);
                }
                errors++;
              }
            }
          } else {
            const err248 = { instancePath: instancePath + "/data/campaign", schemaPath: "#/properties/data/properties/campaign/type", keyword: "type", params: { type: "object" }, message: "must be object", schema: schema31.properties.data.properties.campaign.type, parentSchema: schema31.properties.data.properties.campaign, data: data94 };
            if (vErrors === null) {
              vErrors = [err248];
            } else {
              vErrors.push(err248);
            }
            errors++;
          }
        }
        if (data93.campaigns !== void 0) {
          let data99 = data93.campaigns;
          if (data99 && typeof data99 == "object" && !Array.isArray(data99)) {
            for (const key28 in data99) {
              const _errs311 = errors;
              if (typeof key28 === "string") {
                if (!pattern5.test(key28)) {
                  const err249 = { instancePath: instancePath + "/data/campaigns", schemaPath: "#/properties/data/properties/campaigns/propertyNames/pattern", keyword: "pattern", params: { pattern: "^(?:(?![\\u115f\\u1160\\u3164\\uffa0])[\\p{L}_])(?:(?![\\u115f\\u1160\\u3164\\uffa0])[\\p{L}\\p{N}_-])*$" }, message: 'must match pattern "^(?:(?![\\u115f\\u1160\\u3164\\uffa0])[\\p{L}_])(?:(?![\\u115f\\u1160\\u3164\\uffa0])[\\p{L}\\p{N}_-])*$"', schema: "^(?:(?![\\u115f\\u1160\\u3164\\uffa0])[\\p{L}_])(?:(?![\\u115f\\u1160\\u3164\\uffa0])[\\p{L}\\p{N}_-])*$", parentSchema: schema31.properties.data.properties.campaigns.propertyNames, data: key28, propertyName: key28 };
                  if (vErrors === null) {
                    vErrors = [err249];
                  } else {
                    vErrors.push(err249);
                  }
                  errors++;
                }
              }
              var valid85 = _errs311 === errors;
              if (!valid85) {
                const err250 = { instancePath: instancePath + "/data/campaigns", schemaPath: "#/properties/data/properties/campaigns/propertyNames", keyword: "propertyNames", params: { propertyName: key28 }, message: "property name must be valid", schema: schema31.properties.data.properties.campaigns.propertyNames, parentSchema: schema31.properties.data.properties.campaigns, data: data99 };
                if (vErrors === null) {
                  vErrors = [err250];
                } else {
                  vErrors.push(err250);
                }
                errors++;
              }
            }
            for (const key29 in data99) {
              let data100 = data99[key29];
              if (data100 && typeof data100 == "object" && !Array.isArray(data100)) {
                for (const key30 in data100) {
                  if (!(key30 === "status" || key30 === "created_by" || key30 === "labels" || key30 === "name_regex" || key30 === "sort_order")) {
                    const err251 = { instancePath: instancePath + "/data/campaigns/" + key29.replace(/~/g, "~0").replace(/\//g, "~1"), schemaPath: "#/properties/data/properties/campaigns/additionalProperties/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key30 }, message: "must NOT have additional properties", schema: false, parentSchema: schema31.properties.data.properties.campaigns.additionalProperties, data: data100 };
                    if (vErrors === null) {
                      vErrors = [err251];
                    } else {
                      vErrors.push(err251);
                    }
                    errors++;
                  }
                }
                if (data100.status !== void 0) {
                  let data101 = data100.status;
                  const _errs317 = errors;
                  let valid88 = false;
                  const _errs318 = errors;
                  if (!(data101 === "running" || data101 === "paused" || data101 === "draft" || data101 === "ended" || data101 === "archived" || data101 === "errors")) {
                    const err252 = { instancePath: instancePath + "/data/campaigns/" + key29.replace(/~/g, "~0").replace(/\//g, "~1") + "/status", schemaPath: "#/properties/data/properties/campaigns/additionalProperties/properties/status/anyOf/0/enum", keyword: "enum", params: { allowedValues: schema31.properties.data.properties.campaigns.additionalProperties.properties.status.anyOf[0].enum }, message: "must be equal to one of the allowed values", schema: schema31.properties.data.properties.campaigns.additionalProperties.properties.status.anyOf[0].enum, parentSchema: schema31.properties.data.properties.campaigns.additionalProperties.properties.status.anyOf[0], data: data101 };
                    if (vErrors === null) {
                      vErrors = [err252];
                    } else {
                      vErrors.push(err252);
                    }
                    errors++;
                  }
                  var _valid13 = _errs318 === errors;
                  valid88 = valid88 || _valid13;
                  const _errs319 = errors;
                  if (typeof data101 !== "string") {
                    const err253 = { instancePath: instancePath + "/data/campaigns/" + key29.replace(/~/g, "~0").replace(/\//g, "~1") + "/status", schemaPath: "#/properties/data/properties/campaigns/additionalProperties/properties/status/anyOf/1/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema31.properties.data.properties.campaigns.additionalProperties.properties.status.anyOf[1].type, parentSchema: schema31.properties.data.properties.campaigns.additionalProperties.properties.status.anyOf[1], data: data101 };
                    if (vErrors === null) {
                      vErrors = [err253];
                    } else {
                      vErrors.push(err253);
                    }
                    errors++;
                  }
                  var _valid13 = _errs319 === errors;
                  valid88 = valid88 || _valid13;
                  if (!valid88) {
                    const err254 = { instancePath: instancePath + "/data/campaigns/" + key29.replace(/~/g, "~0").replace(/\//g, "~1") + "/status", schemaPath: "#/properties/data/properties/campaigns/additionalProperties/properties/status/anyOf", keyword: "anyOf", params: {}, message: "must match a schema in anyOf", schema: schema31.properties.data.properties.campaigns.additionalProperties.properties.status.anyOf, parentSchema: schema31.properties.data.properties.campaigns.additionalProperties.properties.status, data: data101 };
                    if (vErrors === null) {
                      vErrors = [err254];
                    } else {
                      vErrors.push(err254);
                    }
                    errors++;
                  } else {
                    errors = _errs317;
                    if (vErrors !== null) {
                      if (_errs317) {
                        vErrors.length = _errs317;
                      } else {
                        vErrors = null;
                      }
                    }
                  }
                }
                if (data100.created_by !== void 0) {
                  let data102 = data100.created_by;
                  if (typeof data102 !== "string") {
                    const err255 = { instancePath: instancePath + "/data/campaigns/" + key29.replace(/~/g, "~0").replace(/\//g, "~1") + "/created_by", schemaPath: "#/properties/data/properties/campaigns/additionalProperties/properties/created_by/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema31.properties.data.properties.campaigns.additionalProperties.properties.created_by.type, parentSchema: schema31.properties.data.properties.campaigns.additionalProperties.properties.created_by, data: data102 };
                    if (vErrors === null) {
                      vErrors = [err255];
                    } else {
                      vErrors.push(err255);
                    }
                    errors++;
                  }
                }
                if (data100.labels !== void 0) {
                  let data103 = data100.labels;
                  if (Array.isArray(data103)) {
                    const len11 = data103.length;
                    for (let i11 = 0; i11 < len11; i11++) {
                      let data104 = data103[i11];
                      if (typeof data104 !== "string") {
                        const err256 = { instancePath: instancePath + "/data/campaigns/" + key29.replace(/~/g, "~0").replace(/\//g, "~1") + "/labels/" + i11, schemaPath: "#/properties/data/properties/campaigns/additionalProperties/properties/labels/items/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema31.properties.data.properties.campaigns.additionalProperties.properties.labels.items.type, parentSchema: schema31.properties.data.properties.campaigns.additionalProperties.properties.labels.items, data: data104 };
                        if (vErrors === null) {
                          vErrors = [err256];
                        } else {
                          vErrors.push(err256);
                        }
                        errors++;
                      }
                    }
                  } else {
                    const err257 = { instancePath: instancePath + "/data/campaigns/" + key29.replace(/~/g, "~0").replace(/\//g, "~1") + "/labels", schemaPath: "#/properties/data/properties/campaigns/additionalProperties/properties/labels/type", keyword: "type", params: { type: "array" }, message: "must be array", schema: schema31.properties.data.properties.campaigns.additionalProperties.properties.labels.type, parentSchema: schema31.properties.data.properties.campaigns.additionalProperties.properties.labels, data: data103 };
                    if (vErrors === null) {
                      vErrors = [err257];
                    } else {
                      vErrors.push(err257);
                    }
                    errors++;
                  }
                }
                if (data100.name_regex !== void 0) {
                  let data105 = data100.name_regex;
                  if (typeof data105 !== "string") {
                    const err258 = { instancePath: instancePath + "/data/campaigns/" + key29.replace(/~/g, "~0").replace(/\//g, "~1") + "/name_regex", schemaPath: "#/properties/data/properties/campaigns/additionalProperties/properties/name_regex/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema31.properties.data.properties.campaigns.additionalProperties.properties.name_regex.type, parentSchema: schema31.properties.data.properties.campaigns.additionalProperties.properties.name_regex, data: data105 };
                    if (vErrors === null) {
                      vErrors = [err258];
                    } else {
                      vErrors.push(err258);
                    }
                    errors++;
                  }
                }
                if (data100.sort_order !== void 0) {
                  let data106 = data100.sort_order;
                  const _errs330 = errors;
                  let valid91 = false;
                  const _errs331 = errors;
                  if (!(data106 === "asc" || data106 === "desc")) {
                    const err259 = { instancePath: instancePath + "/data/campaigns/" + key29.replace(/~/g, "~0").replace(/\//g, "~1") + "/sort_order", schemaPath: "#/properties/data/properties/campaigns/additionalProperties/properties/sort_order/anyOf/0/enum", keyword: "enum", params: { allowedValues: schema31.properties.data.properties.campaigns.additionalProperties.properties.sort_order.anyOf[0].enum }, message: "must be equal to one of the allowed values", schema: schema31.properties.data.properties.campaigns.additionalProperties.properties.sort_order.anyOf[0].enum, parentSchema: schema31.properties.data.properties.campaigns.additionalProperties.properties.sort_order.anyOf[0], data: data106 };
                    if (vErrors === null) {
                      vErrors = [err259];
                    } else {
                      vErrors.push(err259);
                    }
                    errors++;
                  }
                  var _valid14 = _errs331 === errors;
                  valid91 = valid91 || _valid14;
                  const _errs332 = errors;
                  if (typeof data106 !== "string") {
                    const err260 = { instancePath: instancePath + "/data/campaigns/" + key29.replace(/~/g, "~0").replace(/\//g, "~1") + "/sort_order", schemaPath: "#/properties/data/properties/campaigns/additionalProperties/properties/sort_order/anyOf/1/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema31.properties.data.properties.campaigns.additionalProperties.properties.sort_order.anyOf[1].type, parentSchema: schema31.properties.data.properties.campaigns.additionalProperties.properties.sort_order.anyOf[1], data: data106 };
                    if (vErrors === null) {
                      vErrors = [err260];
                    } else {
                      vErrors.push(err260);
                    }
                    errors++;
                  }
                  var _valid14 = _errs332 === errors;
                  valid91 = valid91 || _valid14;
                  if (!valid91) {
                    const err261 = { instancePath: instancePath + "/data/campaigns/" + key29.replace(/~/g, "~0").replace(/\//g, "~1") + "/sort_order", schemaPath: "#/properties/data/properties/campaigns/additionalProperties/properties/sort_order/anyOf", keyword: "anyOf", params: {}, message: "must match a schema in anyOf", schema: schema31.properties.data.properties.campaigns.additionalProperties.properties.sort_order.anyOf, parentSchema: schema31.properties.data.properties.campaigns.additionalProperties.properties.sort_order, data: data106 };
                    if (vErrors === null) {
                      vErrors = [err261];
                    } else {
                      vErrors.push(err261);
                    }
                    errors++;
                  } else {
                    errors = _errs330;
                    if (vErrors !== null) {
                      if (_errs330) {
                        vErrors.length = _errs330;
                      } else {
                        vErrors = null;
                      }
                    }
                  }
                }
              } else {
                const err262 = { instancePath: instancePath + "/data/campaigns/" + key29.replace(/~/g, "~0").replace(/\//g, "~1"), schemaPath: "#/properties/data/properties/campaigns/additionalProperties/type", keyword: "type", params: { type: "object" }, message: "must be object", schema: schema31.properties.data.properties.campaigns.additionalProperties.type, parentSchema: schema31.properties.data.properties.campaigns.additionalProperties, data: data100 };
                if (vErrors === null) {
                  vErrors = [err262];
                } else {
                  vErrors.push(err262);
                }
                errors++;
              }
            }
          } else {
            const err263 = { instancePath: instancePath + "/data/campaigns", schemaPath: "#/properties/data/properties/campaigns/type", keyword: "type", params: { type: "object" }, message: "must be object", schema: schema31.properties.data.properties.campaigns.type, parentSchema: schema31.properties.data.properties.campaigns, data: data99 };
            if (vErrors === null) {
              vErrors = [err263];
            } else {
              vErrors.push(err263);
            }
            errors++;
          }
        }
        if (data93.schedules !== void 0) {
          let data107 = data93.schedules;
          if (data107 && typeof data107 == "object" && !Array.isArray(data107)) {
            for (const key31 in data107) {
              const _errs336 = errors;
              if (typeof key31 === "string") {
                if (!pattern5.test(key31)) {
                  const err264 = { instancePath: instancePath + "/data/schedules", schemaPath: "#/properties/data/properties/schedules/propertyNames/pattern", keyword: "pattern", params: { pattern: "^(?:(?![\\u115f\\u1160\\u3164\\uffa0])[\\p{L}_])(?:(?![\\u115f\\u1160\\u3164\\uffa0])[\\p{L}\\p{N}_-])*$" }, message: 'must match pattern "^(?:(?![\\u115f\\u1160\\u3164\\uffa0])[\\p{L}_])(?:(?![\\u115f\\u1160\\u3164\\uffa0])[\\p{L}\\p{N}_-])*$"', schema: "^(?:(?![\\u115f\\u1160\\u3164\\uffa0])[\\p{L}_])(?:(?![\\u115f\\u1160\\u3164\\uffa0])[\\p{L}\\p{N}_-])*$", parentSchema: schema31.properties.data.properties.schedules.propertyNames, data: key31, propertyName: key31 };
                  if (vErrors === null) {
                    vErrors = [err264];
                  } else {
                    vErrors.push(err264);
                  }
                  errors++;
                }
              }
              var valid92 = _errs336 === errors;
              if (!valid92) {
                const err265 = { instancePath: instancePath + "/data/schedules", schemaPath: "#/properties/data/properties/schedules/propertyNames", keyword: "propertyNames", params: { propertyName: key31 }, message: "property name must be valid", schema: schema31.properties.data.properties.schedules.propertyNames, parentSchema: schema31.properties.data.properties.schedules, data: data107 };
                if (vErrors === null) {
                  vErrors = [err265];
                } else {
                  vErrors.push(err265);
                }
                errors++;
              }
            }
            for (const key32 in data107) {
              let data108 = data107[key32];
              if (data108 && typeof data108 == "object" && !Array.isArray(data108)) {
                for (const key33 in data108) {
                  if (!(key33 === "campaign_id" || key33 === "campaign")) {
                    const err266 = { instancePath: instancePath + "/data/schedules/" + key32.replace(/~/g, "~0").replace(/\//g, "~1"), schemaPath: "#/properties/data/properties/schedules/additionalProperties/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key33 }, message: "must NOT have additional properties", schema: false, parentSchema: schema31.properties.data.properties.schedules.additionalProperties, data: data108 };
                    if (vErrors === null) {
                      vErrors = [err266];
                    } else {
                      vErrors.push(err266);
                    }
                    errors++;
                  }
                }
                if (data108.campaign_id !== void 0) {
                  let data109 = data108.campaign_id;
                  if (typeof data109 !== "string") {
                    const err267 = { instancePath: instancePath + "/data/schedules/" + key32.replace(/~/g, "~0").replace(/\//g, "~1") + "/campaign_id", schemaPath: "#/properties/data/properties/schedules/additionalProperties/properties/campaign_id/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema31.properties.data.properties.schedules.additionalProperties.properties.campaign_id.type, parentSchema: schema31.properties.data.properties.schedules.additionalProperties.properties.campaign_id, data: data109 };
                    if (vErrors === null) {
                      vErrors = [err267];
                    } else {
                      vErrors.push(err267);
                    }
                    errors++;
                  }
                }
                if (data108.campaign !== void 0) {
                  let data110 = data108.campaign;
                  if (typeof data110 !== "string") {
                    const err268 = { instancePath: instancePath + "/data/schedules/" + key32.replace(/~/g, "~0").replace(/\//g, "~1") + "/campaign", schemaPath: "#/properties/data/properties/schedules/additionalProperties/properties/campaign/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema31.properties.data.properties.schedules.additionalProperties.properties.campaign.type, parentSchema: schema31.properties.data.properties.schedules.additionalProperties.properties.campaign, data: data110 };
                    if (vErrors === null) {
                      vErrors = [err268];
                    } else {
                      vErrors.push(err268);
                    }
                    errors++;
                  }
                }
              } else {
                const err269 = { instancePath: instancePath + "/data/schedules/" + key32.replace(/~/g, "~0").replace(/\//g, "~1"), schemaPath: "#/properties/data/properties/schedules/additionalProperties/type", keyword: "type", params: { type: "object" }, message: "must be object", schema: schema31.properties.data.properties.schedules.additionalProperties.type, parentSchema: schema31.properties.data.properties.schedules.additionalProperties, data: data108 };
                if (vErrors === null) {
                  vErrors = [err269];
                } else {
                  vErrors.push(err269);
                }
                errors++;
              }
            }
          } else {
            const err270 = { instancePath: instancePath + "/data/schedules", schemaPath: "#/properties/data/properties/schedules/type", keyword: "type", params: { type: "object" }, message: "must be object", schema: schema31.properties.data.properties.schedules.type, parentSchema: schema31.properties.data.properties.schedules, data: data107 };
            if (vErrors === null) {
              vErrors = [err270];
            } else {
              vErrors.push(err270);
            }
            errors++;
          }
        }
        if (data93.warmup_settings !== void 0) {
          let data111 = data93.warmup_settings;
          if (data111 && typeof data111 == "object" && !Array.isArray(data111)) {
            for (const key34 in data111) {
              const _errs347 = errors;
              if (typeof key34 === "string") {
                if (!pattern5.test(key34)) {
                  const err271 = { instancePath: instancePath + "/data/warmup_settings", schemaPath: "#/properties/data/properties/warmup_settings/propertyNames/pattern", keyword: "pattern", params: { pattern: "^(?:(?![\\u115f\\u1160\\u3164\\uffa0])[\\p{L}_])(?:(?![\\u115f\\u1160\\u3164\\uffa0])[\\p{L}\\p{N}_-])*$" }, message: 'must match pattern "^(?:(?![\\u115f\\u1160\\u3164\\uffa0])[\\p{L}_])(?:(?![\\u115f\\u1160\\u3164\\uffa0])[\\p{L}\\p{N}_-])*$"', schema: "^(?:(?![\\u115f\\u1160\\u3164\\uffa0])[\\p{L}_])(?:(?![\\u115f\\u1160\\u3164\\uffa0])[\\p{L}\\p{N}_-])*$", parentSchema: schema31.properties.data.properties.warmup_settings.propertyNames, data: key34, propertyName: key34 };
                  if (vErrors === null) {
                    vErrors = [err271];
                  } else {
                    vErrors.push(err271);
                  }
                  errors++;
                }
              }
              var valid95 = _errs347 === errors;
              if (!valid95) {
                const err272 = { instancePath: instancePath + "/data/warmup_settings", schemaPath: "#/properties/data/properties/warmup_settings/propertyNames", keyword: "propertyNames", params: { propertyName: key34 }, message: "property name must be valid", schema: schema31.properties.data.properties.warmup_settings.propertyNames, parentSchema: schema31.properties.data.properties.warmup_settings, data: data111 };
                if (vErrors === null) {
                  vErrors = [err272];
                } else {
                  vErrors.push(err272);
                }
                errors++;
              }
            }
            for (const key35 in data111) {
              let data112 = data111[key35];
              if (data112 && typeof data112 == "object" && !Array.isArray(data112)) {
                if (data112.user_mailbox_id === void 0) {
                  const err273 = { instancePath: instancePath + "/data/warmup_settings/" + key35.replace(/~/g, "~0").replace(/\//g, "~1"), schemaPath: "#/properties/data/properties/warmup_settings/additionalProperties/required", keyword: "required", params: { missingProperty: "user_mailbox_id" }, message: "must have required property 'user_mailbox_id'", schema: schema31.properties.data.properties.warmup_settings.additionalProperties.required, parentSchema: schema31.properties.data.properties.warmup_settings.additionalProperties, data: data112 };
                  if (vErrors === null) {
                    vErrors = [err273];
                  } else {
                    vErrors.push(err273);
                  }
                  errors++;
                }
                for (const key36 in data112) {
                  if (!(key36 === "user_mailbox_id")) {
                    const err274 = { instancePath: instancePath + "/data/warmup_settings/" + key35.replace(/~/g, "~0").replace(/\//g, "~1"), schemaPath: "#/properties/data/properties/warmup_settings/additionalProperties/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key36 }, message: "must NOT have additional properties", schema: false, parentSchema: schema31.properties.data.properties.warmup_settings.additionalProperties, data: data112 };
                    if (vErrors === null) {
                      vErrors = [err274];
                    } else {
                      vErrors.push(err274);
                    }
                    errors++;
                  }
                }
                if (data112.user_mailbox_id !== void 0) {
                  let data113 = data112.user_mailbox_id;
                  if (typeof data113 !== "string") {
                    const err275 = { instancePath: instancePath + "/data/warmup_settings/" + key35.replace(/~/g, "~0").replace(/\//g, "~1") + "/user_mailbox_id", schemaPath: "#/properties/data/properties/warmup_settings/additionalProperties/properties/user_mailbox_id/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema31.properties.data.properties.warmup_settings.additionalProperties.properties.user_mailbox_id.type, parentSchema: schema31.properties.data.properties.warmup_settings.additionalProperties.properties.user_mailbox_id, data: data113 };
                    if (vErrors === null) {
                      vErrors = [err275];
                    } else {
                      vErrors.push(err275);
                    }
                    errors++;
                  }
                }
              } else {
                const err276 = { instancePath: instancePath + "/data/warmup_settings/" + key35.replace(/~/g, "~0").replace(/\//g, "~1"), schemaPath: "#/properties/data/properties/warmup_settings/additionalProperties/type", keyword: "type", params: { type: "object" }, message: "must be object", schema: schema31.properties.data.properties.warmup_settings.additionalProperties.type, parentSchema: schema31.properties.data.properties.warmup_settings.additionalProperties, data: data112 };
                if (vErrors === null) {
                  vErrors = [err276];
                } else {
                  vErrors.push(err276);
                }
                errors++;
              }
            }
          } else {
            const err277 = { instancePath: instancePath + "/data/warmup_settings", schemaPath: "#/properties/data/properties/warmup_settings/type", keyword: "type", params: { type: "object" }, message: "must be object", schema: schema31.properties.data.properties.warmup_settings.type, parentSchema: schema31.properties.data.properties.warmup_settings, data: data111 };
            if (vErrors === null) {
              vErrors = [err277];
            } else {
              vErrors.push(err277);
            }
            errors++;
          }
        }
        if (data93.webhooks !== void 0) {
          let data114 = data93.webhooks;
          if (data114 && typeof data114 == "object" && !Array.isArray(data114)) {
            for (const key37 in data114) {
              const _errs356 = errors;
              if (typeof key37 === "string") {
                if (!pattern5.test(key37)) {
                  const err278 = { instancePath: instancePath + "/data/webhooks", schemaPath: "#/properties/data/properties/webhooks/propertyNames/pattern", keyword: "pattern", params: { pattern: "^(?:(?![\\u115f\\u1160\\u3164\\uffa0])[\\p{L}_])(?:(?![\\u115f\\u1160\\u3164\\uffa0])[\\p{L}\\p{N}_-])*$" }, message: 'must match pattern "^(?:(?![\\u115f\\u1160\\u3164\\uffa0])[\\p{L}_])(?:(?![\\u115f\\u1160\\u3164\\uffa0])[\\p{L}\\p{N}_-])*$"', schema: "^(?:(?![\\u115f\\u1160\\u3164\\uffa0])[\\p{L}_])(?:(?![\\u115f\\u1160\\u3164\\uffa0])[\\p{L}\\p{N}_-])*$", parentSchema: schema31.properties.data.properties.webhooks.propertyNames, data: key37, propertyName: key37 };
                  if (vErrors === null) {
                    vErrors = [err278];
                  } else {
                    vErrors.push(err278);
                  }
                  errors++;
                }
              }
              var valid98 = _errs356 === errors;
              if (!valid98) {
                const err279 = { instancePath: instancePath + "/data/webhooks", schemaPath: "#/properties/data/properties/webhooks/propertyNames", keyword: "propertyNames", params: { propertyName: key37 }, message: "property name must be valid", schema: schema31.properties.data.properties.webhooks.propertyNames, parentSchema: schema31.properties.data.properties.webhooks, data: data114 };
                if (vErrors === null) {
                  vErrors = [err279];
                } else {
                  vErrors.push(err279);
                }
                errors++;
              }
            }
            for (const key38 in data114) {
              let data115 = data114[key38];
              if (data115 && typeof data115 == "object" && !Array.isArray(data115)) {
                for (const key39 in data115) {
                  const err280 = { instancePath: instancePath + "/data/webhooks/" + key38.replace(/~/g, "~0").replace(/\//g, "~1"), schemaPath: "#/properties/data/properties/webhooks/additionalProperties/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key39 }, message: "must NOT have additional properties", schema: false, parentSchema: schema31.properties.data.properties.webhooks.additionalProperties, data: data115 };
                  if (vErrors === null) {
                    vErrors = [err280];
                  } else {
                    vErrors.push(err280);
                  }
                  errors++;
                }
              } else {
                const err281 = { instancePath: instancePath + "/data/webhooks/" + key38.replace(/~/g, "~0").replace(/\//g, "~1"), schemaPath: "#/properties/data/properties/webhooks/additionalProperties/type", keyword: "type", params: { type: "object" }, message: "must be object", schema: schema31.properties.data.properties.webhooks.additionalProperties.type, parentSchema: schema31.properties.data.properties.webhooks.additionalProperties, data: data115 };
                if (vErrors === null) {
                  vErrors = [err281];
                } else {
                  vErrors.push(err281);
                }
                errors++;
              }
            }
          } else {
            const err282 = { instancePath: instancePath + "/data/webhooks", schemaPath: "#/properties/data/properties/webhooks/type", keyword: "type", params: { type: "object" }, message: "must be object", schema: schema31.properties.data.properties.webhooks.type, parentSchema: schema31.properties.data.properties.webhooks, data: data114 };
            if (vErrors === null) {
              vErrors = [err282];
            } else {
              vErrors.push(err282);
            }
            errors++;
          }
        }
      } else {
        const err283 = { instancePath: instancePath + "/data", schemaPath: "#/properties/data/type", keyword: "type", params: { type: "object" }, message: "must be object", schema: schema31.properties.data.type, parentSchema: schema31.properties.data, data: data93 };
        if (vErrors === null) {
          vErrors = [err283];
        } else {
          vErrors.push(err283);
        }
        errors++;
      }
    }
    if (data.webhooks !== void 0) {
      let data116 = data.webhooks;
      if (data116 && typeof data116 == "object" && !Array.isArray(data116)) {
        for (const key40 in data116) {
          const _errs363 = errors;
          if (typeof key40 === "string") {
            if (!pattern5.test(key40)) {
              const err284 = { instancePath: instancePath + "/webhooks", schemaPath: "#/properties/webhooks/propertyNames/pattern", keyword: "pattern", params: { pattern: "^(?:(?![\\u115f\\u1160\\u3164\\uffa0])[\\p{L}_])(?:(?![\\u115f\\u1160\\u3164\\uffa0])[\\p{L}\\p{N}_-])*$" }, message: 'must match pattern "^(?:(?![\\u115f\\u1160\\u3164\\uffa0])[\\p{L}_])(?:(?![\\u115f\\u1160\\u3164\\uffa0])[\\p{L}\\p{N}_-])*$"', schema: "^(?:(?![\\u115f\\u1160\\u3164\\uffa0])[\\p{L}_])(?:(?![\\u115f\\u1160\\u3164\\uffa0])[\\p{L}\\p{N}_-])*$", parentSchema: schema31.properties.webhooks.propertyNames, data: key40, propertyName: key40 };
              if (vErrors === null) {
                vErrors = [err284];
              } else {
                vErrors.push(err284);
              }
              errors++;
            }
          }
          var valid100 = _errs363 === errors;
          if (!valid100) {
            const err285 = { instancePath: instancePath + "/webhooks", schemaPath: "#/properties/webhooks/propertyNames", keyword: "propertyNames", params: { propertyName: key40 }, message: "property name must be valid", schema: schema31.properties.webhooks.propertyNames, parentSchema: schema31.properties.webhooks, data: data116 };
            if (vErrors === null) {
              vErrors = [err285];
            } else {
              vErrors.push(err285);
            }
            errors++;
          }
        }
        for (const key41 in data116) {
          let data117 = data116[key41];
          if (data117 && typeof data117 == "object" && !Array.isArray(data117)) {
            if (data117.target_url === void 0) {
              const err286 = { instancePath: instancePath + "/webhooks/" + key41.replace(/~/g, "~0").replace(/\//g, "~1"), schemaPath: "#/properties/webhooks/additionalProperties/required", keyword: "required", params: { missingProperty: "target_url" }, message: "must have required property 'target_url'", schema: schema31.properties.webhooks.additionalProperties.required, parentSchema: schema31.properties.webhooks.additionalProperties, data: data117 };
              if (vErrors === null) {
                vErrors = [err286];
              } else {
                vErrors.push(err286);
              }
              errors++;
            }
            for (const key42 in data117) {
              if (!func1.call(schema31.properties.webhooks.additionalProperties.properties, key42)) {
                const err287 = { instancePath: instancePath + "/webhooks/" + key41.replace(/~/g, "~0").replace(/\//g, "~1"), schemaPath: "#/properties/webhooks/additionalProperties/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key42 }, message: "must NOT have additional properties", schema: false, parentSchema: schema31.properties.webhooks.additionalProperties, data: data117 };
                if (vErrors === null) {
                  vErrors = [err287];
                } else {
                  vErrors.push(err287);
                }
                errors++;
              }
            }
            if (data117.target_url !== void 0) {
              let data118 = data117.target_url;
              if (typeof data118 !== "string") {
                const err288 = { instancePath: instancePath + "/webhooks/" + key41.replace(/~/g, "~0").replace(/\//g, "~1") + "/target_url", schemaPath: "#/properties/webhooks/additionalProperties/properties/target_url/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema31.properties.webhooks.additionalProperties.properties.target_url.type, parentSchema: schema31.properties.webhooks.additionalProperties.properties.target_url, data: data118 };
                if (vErrors === null) {
                  vErrors = [err288];
                } else {
                  vErrors.push(err288);
                }
                errors++;
              }
            }
            if (data117.type !== void 0) {
              let data119 = data117.type;
              const _errs371 = errors;
              let valid103 = false;
              const _errs372 = errors;
              if (!(data119 === "contacted" || data119 === "hooked" || data119 === "attracted" || data119 === "warmed" || data119 === "interested" || data119 === "notInterested" || data119 === "emailsSent" || data119 === "emailsOpened" || data119 === "emailsClicked" || data119 === "emailsReplied" || data119 === "emailsBounced" || data119 === "emailsFailed" || data119 === "emailsInterested" || data119 === "emailsNotInterested" || data119 === "emailsUnsubscribed" || data119 === "networkSent" || data119 === "networkOpened" || data119 === "networkReplied" || data119 === "networkInterested" || data119 === "networkNotInterested" || data119 === "networkSendFailed" || data119 === "networkVisitDone" || data119 === "networkVisitFailed" || data119 === "networkFollowDone" || data119 === "networkFollowFailed" || data119 === "networkFollowSkipped" || data119 === "networkInviteDone" || data119 === "networkInviteFailed" || data119 === "networkInviteAccepted" || data119 === "networkEndorseDone" || data119 === "networkEndorseFailed" || data119 === "networkEndorseSkipped" || data119 === "networkVoiceNoteDone" || data119 === "networkVoiceNoteFailed" || data119 === "networkLikeLastPostDone" || data119 === "networkLikeLastPostNoPost" || data119 === "networkLikeLastPostFailed" || data119 === "networkWithdrawInvitationDone" || data119 === "networkWithdrawInvitationFailed" || data119 === "chatMessageSent" || data119 === "chatMessageDelivered" || data119 === "chatMessageOpened" || data119 === "chatReplied" || data119 === "chatMessageFailed" || data119 === "smsSent" || data119 === "smsDelivered" || data119 === "smsReplied" || data119 === "smsFailed" || data119 === "dialerCreated" || data119 === "dialerEnded" || data119 === "dialerDone" || data119 === "dialerInterested" || data119 === "dialerNotInterested" || data119 === "callRecordingDone" || data119 === "callTranscriptDone" || data119 === "apiDone" || data119 === "apiInterested" || data119 === "apiNotInterested" || data119 === "apiFailed" || data119 === "manualInterested" || data119 === "manualNotInterested" || data119 === "annotated" || data119 === "paused" || data119 === "resumed" || data119 === "stopped" || data119 === "campaignComplete" || data119 === "customDomainErrors" || data119 === "connectionIssue" || data119 === "sendLimitReached" || data119 === "warmupPaused" || data119 === "enrichmentDone" || data119 === "enrichmentError" || data119 === "inboxLabelUpdated" || data119 === "signalRegistered" || data119 === "deliverabilityAlertTriggered")) {
                const err289 = { instancePath: instancePath + "/webhooks/" + key41.replace(/~/g, "~0").replace(/\//g, "~1") + "/type", schemaPath: "#/properties/webhooks/additionalProperties/properties/type/anyOf/0/enum", keyword: "enum", params: { allowedValues: schema31.properties.webhooks.additionalProperties.properties.type.anyOf[0].enum }, message: "must be equal to one of the allowed values", schema: schema31.properties.webhooks.additionalProperties.properties.type.anyOf[0].enum, parentSchema: schema31.properties.webhooks.additionalProperties.properties.type.anyOf[0], data: data119 };
                if (vErrors === null) {
                  vErrors = [err289];
                } else {
                  vErrors.push(err289);
                }
                errors++;
              }
              var _valid15 = _errs372 === errors;
              valid103 = valid103 || _valid15;
              const _errs373 = errors;
              if (typeof data119 !== "string") {
                const err290 = { instancePath: instancePath + "/webhooks/" + key41.replace(/~/g, "~0").replace(/\//g, "~1") + "/type", schemaPath: "#/properties/webhooks/additionalProperties/properties/type/anyOf/1/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema31.properties.webhooks.additionalProperties.properties.type.anyOf[1].type, parentSchema: schema31.properties.webhooks.additionalProperties.properties.type.anyOf[1], data: data119 };
                if (vErrors === null) {
                  vErrors = [err290];
                } else {
                  vErrors.push(err290);
                }
                errors++;
              }
              var _valid15 = _errs373 === errors;
              valid103 = valid103 || _valid15;
              if (!valid103) {
                const err291 = { instancePath: instancePath + "/webhooks/" + key41.replace(/~/g, "~0").replace(/\//g, "~1") + "/type", schemaPath: "#/properties/webhooks/additionalProperties/properties/type/anyOf", keyword: "anyOf", params: {}, message: "must match a schema in anyOf", schema: schema31.properties.webhooks.additionalProperties.properties.type.anyOf, parentSchema: schema31.properties.webhooks.additionalProperties.properties.type, data: data119 };
                if (vErrors === null) {
                  vErrors = [err291];
                } else {
                  vErrors.push(err291);
                }
                errors++;
              } else {
                errors = _errs371;
                if (vErrors !== null) {
                  if (_errs371) {
                    vErrors.length = _errs371;
                  } else {
                    vErrors = null;
                  }
                }
              }
            }
            if (data117.types !== void 0) {
              let data120 = data117.types;
              if (Array.isArray(data120)) {
                const len12 = data120.length;
                for (let i12 = 0; i12 < len12; i12++) {
                  let data121 = data120[i12];
                  const _errs378 = errors;
                  let valid106 = false;
                  const _errs379 = errors;
                  if (!(data121 === "contacted" || data121 === "hooked" || data121 === "attracted" || data121 === "warmed" || data121 === "interested" || data121 === "notInterested" || data121 === "emailsSent" || data121 === "emailsOpened" || data121 === "emailsClicked" || data121 === "emailsReplied" || data121 === "emailsBounced" || data121 === "emailsFailed" || data121 === "emailsInterested" || data121 === "emailsNotInterested" || data121 === "emailsUnsubscribed" || data121 === "networkSent" || data121 === "networkOpened" || data121 === "networkReplied" || data121 === "networkInterested" || data121 === "networkNotInterested" || data121 === "networkSendFailed" || data121 === "networkVisitDone" || data121 === "networkVisitFailed" || data121 === "networkFollowDone" || data121 === "networkFollowFailed" || data121 === "networkFollowSkipped" || data121 === "networkInviteDone" || data121 === "networkInviteFailed" || data121 === "networkInviteAccepted" || data121 === "networkEndorseDone" || data121 === "networkEndorseFailed" || data121 === "networkEndorseSkipped" || data121 === "networkVoiceNoteDone" || data121 === "networkVoiceNoteFailed" || data121 === "networkLikeLastPostDone" || data121 === "networkLikeLastPostNoPost" || data121 === "networkLikeLastPostFailed" || data121 === "networkWithdrawInvitationDone" || data121 === "networkWithdrawInvitationFailed" || data121 === "chatMessageSent" || data121 === "chatMessageDelivered" || data121 === "chatMessageOpened" || data121 === "chatReplied" || data121 === "chatMessageFailed" || data121 === "smsSent" || data121 === "smsDelivered" || data121 === "smsReplied" || data121 === "smsFailed" || data121 === "dialerCreated" || data121 === "dialerEnded" || data121 === "dialerDone" || data121 === "dialerInterested" || data121 === "dialerNotInterested" || data121 === "callRecordingDone" || data121 === "callTranscriptDone" || data121 === "apiDone" || data121 === "apiInterested" || data121 === "apiNotInterested" || data121 === "apiFailed" || data121 === "manualInterested" || data121 === "manualNotInterested" || data121 === "annotated" || data121 === "paused" || data121 === "resumed" || data121 === "stopped" || data121 === "campaignComplete" || data121 === "customDomainErrors" || data121 === "connectionIssue" || data121 === "sendLimitReached" || data121 === "warmupPaused" || data121 === "enrichmentDone" || data121 === "enrichmentError" || data121 === "inboxLabelUpdated" || data121 === "signalRegistered" || data121 === "deliverabilityAlertTriggered")) {
                    const err292 = { instancePath: instancePath + "/webhooks/" + key41.replace(/~/g, "~0").replace(/\//g, "~1") + "/types/" + i12, schemaPath: "#/properties/webhooks/additionalProperties/properties/types/items/anyOf/0/enum", keyword: "enum", params: { allowedValues: schema31.properties.webhooks.additionalProperties.properties.types.items.anyOf[0].enum }, message: "must be equal to one of the allowed values", schema: schema31.properties.webhooks.additionalProperties.properties.types.items.anyOf[0].enum, parentSchema: schema31.properties.webhooks.additionalProperties.properties.types.items.anyOf[0], data: data121 };
                    if (vErrors === null) {
                      vErrors = [err292];
                    } else {
                      vErrors.push(err292);
                    }
                    errors++;
                  }
                  var _valid16 = _errs379 === errors;
                  valid106 = valid106 || _valid16;
                  const _errs380 = errors;
                  if (typeof data121 !== "string") {
                    const err293 = { instancePath: instancePath + "/webhooks/" + key41.replace(/~/g, "~0").replace(/\//g, "~1") + "/types/" + i12, schemaPath: "#/properties/webhooks/additionalProperties/properties/types/items/anyOf/1/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema31.properties.webhooks.additionalProperties.properties.types.items.anyOf[1].type, parentSchema: schema31.properties.webhooks.additionalProperties.properties.types.items.anyOf[1], data: data121 };
                    if (vErrors === null) {
                      vErrors = [err293];
                    } else {
                      vErrors.push(err293);
                    }
                    errors++;
                  }
                  var _valid16 = _errs380 === errors;
                  valid106 = valid106 || _valid16;
                  if (!valid106) {
                    const err294 = { instancePath: instancePath + "/webhooks/" + key41.replace(/~/g, "~0").replace(/\//g, "~1") + "/types/" + i12, schemaPath: "#/properties/webhooks/additionalProperties/properties/types/items/anyOf", keyword: "anyOf", params: {}, message: "must match a schema in anyOf", schema: schema31.properties.webhooks.additionalProperties.properties.types.items.anyOf, parentSchema: schema31.properties.webhooks.additionalProperties.properties.types.items, data: data121 };
                    if (vErrors === null) {
                      vErrors = [err294];
                    } else {
                      vErrors.push(err294);
                    }
                    errors++;
                  } else {
                    errors = _errs378;
                    if (vErrors !== null) {
                      if (_errs378) {
                        vErrors.length = _errs378;
                      } else {
                        vErrors = null;
                      }
                    }
                  }
                }
              } else {
                const err295 = { instancePath: instancePath + "/webhooks/" + key41.replace(/~/g, "~0").replace(/\//g, "~1") + "/types", schemaPath: "#/properties/webhooks/additionalProperties/properties/types/type", keyword: "type", params: { type: "array" }, message: "must be array", schema: schema31.properties.webhooks.additionalProperties.properties.types.type, parentSchema: schema31.properties.webhooks.additionalProperties.properties.types, data: data120 };
                if (vErrors === null) {
                  vErrors = [err295];
                } else {
                  vErrors.push(err295);
                }
                errors++;
              }
            }
            if (data117.campaign_id !== void 0) {
              let data122 = data117.campaign_id;
              if (typeof data122 !== "string") {
                const err296 = { instancePath: instancePath + "/webhooks/" + key41.replace(/~/g, "~0").replace(/\//g, "~1") + "/campaign_id", schemaPath: "#/properties/webhooks/additionalProperties/properties/campaign_id/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema31.properties.webhooks.additionalProperties.properties.campaign_id.type, parentSchema: schema31.properties.webhooks.additionalProperties.properties.campaign_id, data: data122 };
                if (vErrors === null) {
                  vErrors = [err296];
                } else {
                  vErrors.push(err296);
                }
                errors++;
              }
            }
            if (data117.campaign !== void 0) {
              let data123 = data117.campaign;
              if (typeof data123 !== "string") {
                const err297 = { instancePath: instancePath + "/webhooks/" + key41.replace(/~/g, "~0").replace(/\//g, "~1") + "/campaign", schemaPath: "#/properties/webhooks/additionalProperties/properties/campaign/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema31.properties.webhooks.additionalProperties.properties.campaign.type, parentSchema: schema31.properties.webhooks.additionalProperties.properties.campaign, data: data123 };
                if (vErrors === null) {
                  vErrors = [err297];
                } else {
                  vErrors.push(err297);
                }
                errors++;
              }
            }
            if (data117.campaigns !== void 0) {
              let data124 = data117.campaigns;
              if (typeof data124 !== "string" && !Array.isArray(data124)) {
                const err298 = { instancePath: instancePath + "/webhooks/" + key41.replace(/~/g, "~0").replace(/\//g, "~1") + "/campaigns", schemaPath: "#/properties/webhooks/additionalProperties/properties/campaigns/type", keyword: "type", params: { type: schema31.properties.webhooks.additionalProperties.properties.campaigns.type }, message: "must be string,array", schema: schema31.properties.webhooks.additionalProperties.properties.campaigns.type, parentSchema: schema31.properties.webhooks.additionalProperties.properties.campaigns, data: data124 };
                if (vErrors === null) {
                  vErrors = [err298];
                } else {
                  vErrors.push(err298);
                }
                errors++;
              }
              if (Array.isArray(data124)) {
                const len13 = data124.length;
                for (let i13 = 0; i13 < len13; i13++) {
                  let data125 = data124[i13];
                  if (typeof data125 !== "string") {
                    const err299 = { instancePath: instancePath + "/webhooks/" + key41.replace(/~/g, "~0").replace(/\//g, "~1") + "/campaigns/" + i13, schemaPath: "#/properties/webhooks/additionalProperties/properties/campaigns/items/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema31.properties.webhooks.additionalProperties.properties.campaigns.items.type, parentSchema: schema31.properties.webhooks.additionalProperties.properties.campaigns.items, data: data125 };
                    if (vErrors === null) {
                      vErrors = [err299];
                    } else {
                      vErrors.push(err299);
                    }
                    errors++;
                  }
                }
              }
            }
            if (data117.is_first !== void 0) {
              let data126 = data117.is_first;
              const _errs391 = errors;
              let valid109 = false;
              const _errs392 = errors;
              if (typeof data126 !== "boolean") {
                const err300 = { instancePath: instancePath + "/webhooks/" + key41.replace(/~/g, "~0").replace(/\//g, "~1") + "/is_first", schemaPath: "#/properties/webhooks/additionalProperties/properties/is_first/anyOf/0/type", keyword: "type", params: { type: "boolean" }, message: "must be boolean", schema: schema31.properties.webhooks.additionalProperties.properties.is_first.anyOf[0].type, parentSchema: schema31.properties.webhooks.additionalProperties.properties.is_first.anyOf[0], data: data126 };
                if (vErrors === null) {
                  vErrors = [err300];
                } else {
                  vErrors.push(err300);
                }
                errors++;
              }
              var _valid17 = _errs392 === errors;
              valid109 = valid109 || _valid17;
              const _errs394 = errors;
              if (typeof data126 === "string") {
                if (!pattern14.test(data126)) {
                  const err301 = { instancePath: instancePath + "/webhooks/" + key41.replace(/~/g, "~0").replace(/\//g, "~1") + "/is_first", schemaPath: "#/properties/webhooks/additionalProperties/properties/is_first/anyOf/1/pattern", keyword: "pattern", params: { pattern: "\\$\\{" }, message: 'must match pattern "\\$\\{"', schema: "\\$\\{", parentSchema: schema31.properties.webhooks.additionalProperties.properties.is_first.anyOf[1], data: data126 };
                  if (vErrors === null) {
                    vErrors = [err301];
                  } else {
                    vErrors.push(err301);
                  }
                  errors++;
                }
              } else {
                const err302 = { instancePath: instancePath + "/webhooks/" + key41.replace(/~/g, "~0").replace(/\//g, "~1") + "/is_first", schemaPath: "#/properties/webhooks/additionalProperties/properties/is_first/anyOf/1/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema31.properties.webhooks.additionalProperties.properties.is_first.anyOf[1].type, parentSchema: schema31.properties.webhooks.additionalProperties.properties.is_first.anyOf[1], data: data126 };
                if (vErrors === null) {
                  vErrors = [err302];
                } else {
                  vErrors.push(err302);
                }
                errors++;
              }
              var _valid17 = _errs394 === errors;
              valid109 = valid109 || _valid17;
              if (!valid109) {
                const err303 = { instancePath: instancePath + "/webhooks/" + key41.replace(/~/g, "~0").replace(/\//g, "~1") + "/is_first", schemaPath: "#/properties/webhooks/additionalProperties/properties/is_first/anyOf", keyword: "anyOf", params: {}, message: "must match a schema in anyOf", schema: schema31.properties.webhooks.additionalProperties.properties.is_first.anyOf, parentSchema: schema31.properties.webhooks.additionalProperties.properties.is_first, data: data126 };
                if (vErrors === null) {
                  vErrors = [err303];
                } else {
                  vErrors.push(err303);
                }
                errors++;
              } else {
                errors = _errs391;
                if (vErrors !== null) {
                  if (_errs391) {
                    vErrors.length = _errs391;
                  } else {
                    vErrors = null;
                  }
                }
              }
            }
            if (data117.automation_id !== void 0) {
              let data127 = data117.automation_id;
              if (typeof data127 !== "string") {
                const err304 = { instancePath: instancePath + "/webhooks/" + key41.replace(/~/g, "~0").replace(/\//g, "~1") + "/automation_id", schemaPath: "#/properties/webhooks/additionalProperties/properties/automation_id/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema31.properties.webhooks.additionalProperties.properties.automation_id.type, parentSchema: schema31.properties.webhooks.additionalProperties.properties.automation_id, data: data127 };
                if (vErrors === null) {
                  vErrors = [err304];
                } else {
                  vErrors.push(err304);
                }
                errors++;
              }
            }
            if (data117.secret !== void 0) {
              let data128 = data117.secret;
              const _errs401 = errors;
              const _errs402 = errors;
              const _errs403 = errors;
              let valid112 = false;
              const _errs404 = errors;
              if (data128 && typeof data128 == "object" && !Array.isArray(data128)) {
                let missing32;
                if (data128.env === void 0 && (missing32 = "env") || data128.file === void 0 && (missing32 = "file")) {
                  const err305 = {};
                  if (vErrors === null) {
                    vErrors = [err305];
                  } else {
                    vErrors.push(err305);
                  }
                  errors++;
                }
              }
              var _valid18 = _errs404 === errors;
              valid112 = valid112 || _valid18;
              const _errs405 = errors;
              if (data128 && typeof data128 == "object" && !Array.isArray(data128)) {
                let missing33;
                if (data128.env === void 0 && (missing33 = "env") || data128.command === void 0 && (missing33 = "command")) {
                  const err306 = {};
                  if (vErrors === null) {
                    vErrors = [err306];
                  } else {
                    vErrors.push(err306);
                  }
                  errors++;
                }
              }
              var _valid18 = _errs405 === errors;
              valid112 = valid112 || _valid18;
              const _errs406 = errors;
              if (data128 && typeof data128 == "object" && !Array.isArray(data128)) {
                let missing34;
                if (data128.file === void 0 && (missing34 = "file") || data128.command === void 0 && (missing34 = "command")) {
                  const err307 = {};
                  if (vErrors === null) {
                    vErrors = [err307];
                  } else {
                    vErrors.push(err307);
                  }
                  errors++;
                }
              }
              var _valid18 = _errs406 === errors;
              valid112 = valid112 || _valid18;
              if (!valid112) {
                const err308 = {};
                if (vErrors === null) {
                  vErrors = [err308];
                } else {
                  vErrors.push(err308);
                }
                errors++;
              } else {
                errors = _errs403;
                if (vErrors !== null) {
                  if (_errs403) {
                    vErrors.length = _errs403;
                  } else {
                    vErrors = null;
                  }
                }
              }
              var valid111 = _errs402 === errors;
              if (valid111) {
                const err309 = { instancePath: instancePath + "/webhooks/" + key41.replace(/~/g, "~0").replace(/\//g, "~1") + "/secret", schemaPath: "#/$defs/secret/not", keyword: "not", params: {}, message: "must NOT be valid", schema: schema32.not, parentSchema: schema32, data: data128 };
                if (vErrors === null) {
                  vErrors = [err309];
                } else {
                  vErrors.push(err309);
                }
                errors++;
              } else {
                errors = _errs401;
                if (vErrors !== null) {
                  if (_errs401) {
                    vErrors.length = _errs401;
                  } else {
                    vErrors = null;
                  }
                }
              }
              if (data128 && typeof data128 == "object" && !Array.isArray(data128)) {
                if (Object.keys(data128).length < 1) {
                  const err310 = { instancePath: instancePath + "/webhooks/" + key41.replace(/~/g, "~0").replace(/\//g, "~1") + "/secret", schemaPath: "#/$defs/secret/minProperties", keyword: "minProperties", params: { limit: 1 }, message: "must NOT have fewer than 1 properties", schema: 1, parentSchema: schema32, data: data128 };
                  if (vErrors === null) {
                    vErrors = [err310];
                  } else {
                    vErrors.push(err310);
                  }
                  errors++;
                }
                for (const key43 in data128) {
                  if (!(key43 === "env" || key43 === "file" || key43 === "command")) {
                    const err311 = { instancePath: instancePath + "/webhooks/" + key41.replace(/~/g, "~0").replace(/\//g, "~1") + "/secret", schemaPath: "#/$defs/secret/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key43 }, message: "must NOT have additional properties", schema: false, parentSchema: schema32, data: data128 };
                    if (vErrors === null) {
                      vErrors = [err311];
                    } else {
                      vErrors.push(err311);
                    }
                    errors++;
                  }
                }
                if (data128.env !== void 0) {
                  let data129 = data128.env;
                  if (typeof data129 === "string") {
                    if (func2(data129) < 1) {
                      const err312 = { instancePath: instancePath + "/webhooks/" + key41.replace(/~/g, "~0").replace(/\//g, "~1") + "/secret/env", schemaPath: "#/$defs/secret/properties/env/minLength", keyword: "minLength", params: { limit: 1 }, message: "must NOT have fewer than 1 characters", schema: 1, parentSchema: schema32.properties.env, data: data129 };
                      if (vErrors === null) {
                        vErrors = [err312];
                      } else {
                        vErrors.push(err312);
                      }
                      errors++;
                    }
                  } else {
                    const err313 = { instancePath: instancePath + "/webhooks/" + key41.replace(/~/g, "~0").replace(/\//g, "~1") + "/secret/env", schemaPath: "#/$defs/secret/properties/env/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema32.properties.env.type, parentSchema: schema32.properties.env, data: data129 };
                    if (vErrors === null) {
                      vErrors = [err313];
                    } else {
                      vErrors.push(err313);
                    }
                    errors++;
                  }
                }
                if (data128.file !== void 0) {
                  let data130 = data128.file;
                  if (typeof data130 === "string") {
                    if (func2(data130) < 1) {
                      const err314 = { instancePath: instancePath + "/webhooks/" + key41.replace(/~/g, "~0").replace(/\//g, "~1") + "/secret/file", schemaPath: "#/$defs/secret/properties/file/minLength", keyword: "minLength", params: { limit: 1 }, message: "must NOT have fewer than 1 characters", schema: 1, parentSchema: schema32.properties.file, data: data130 };
                      if (vErrors === null) {
                        vErrors = [err314];
                      } else {
                        vErrors.push(err314);
                      }
                      errors++;
                    }
                  } else {
                    const err315 = { instancePath: instancePath + "/webhooks/" + key41.replace(/~/g, "~0").replace(/\//g, "~1") + "/secret/file", schemaPath: "#/$defs/secret/properties/file/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema32.properties.file.type, parentSchema: schema32.properties.file, data: data130 };
                    if (vErrors === null) {
                      vErrors = [err315];
                    } else {
                      vErrors.push(err315);
                    }
                    errors++;
                  }
                }
                if (data128.command !== void 0) {
                  let data131 = data128.command;
                  if (Array.isArray(data131)) {
                    if (data131.length < 1) {
                      const err316 = { instancePath: instancePath + "/webhooks/" + key41.replace(/~/g, "~0").replace(/\//g, "~1") + "/secret/command", schemaPath: "#/$defs/secret/properties/command/minItems", keyword: "minItems", params: { limit: 1 }, message: "must NOT have fewer than 1 items", schema: 1, parentSchema: schema32.properties.command, data: data131 };
                      if (vErrors === null) {
                        vErrors = [err316];
                      } else {
                        vErrors.push(err316);
                      }
                      errors++;
                    }
                    const len14 = data131.length;
                    for (let i14 = 0; i14 < len14; i14++) {
                      let data132 = data131[i14];
                      if (typeof data132 !== "string") {
                        const err317 = { instancePath: instancePath + "/webhooks/" + key41.replace(/~/g, "~0").replace(/\//g, "~1") + "/secret/command/" + i14, schemaPath: "#/$defs/secret/properties/command/items/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema32.properties.command.items.type, parentSchema: schema32.properties.command.items, data: data132 };
                        if (vErrors === null) {
                          vErrors = [err317];
                        } else {
                          vErrors.push(err317);
                        }
                        errors++;
                      }
                    }
                  } else {
                    const err318 = { instancePath: instancePath + "/webhooks/" + key41.replace(/~/g, "~0").replace(/\//g, "~1") + "/secret/command", schemaPath: "#/$defs/secret/properties/command/type", keyword: "type", params: { type: "array" }, message: "must be array", schema: schema32.properties.command.type, parentSchema: schema32.properties.command, data: data131 };
                    if (vErrors === null) {
                      vErrors = [err318];
                    } else {
                      vErrors.push(err318);
                    }
                    errors++;
                  }
                }
              } else {
                const err319 = { instancePath: instancePath + "/webhooks/" + key41.replace(/~/g, "~0").replace(/\//g, "~1") + "/secret", schemaPath: "#/$defs/secret/type", keyword: "type", params: { type: "object" }, message: "must be object", schema: schema32.type, parentSchema: schema32, data: data128 };
                if (vErrors === null) {
                  vErrors = [err319];
                } else {
                  vErrors.push(err319);
                }
                errors++;
              }
            }
            if (data117.allow_duplicate !== void 0) {
              let data133 = data117.allow_duplicate;
              const _errs417 = errors;
              let valid116 = false;
              const _errs418 = errors;
              if (typeof data133 !== "boolean") {
                const err320 = { instancePath: instancePath + "/webhooks/" + key41.replace(/~/g, "~0").replace(/\//g, "~1") + "/allow_duplicate", schemaPath: "#/properties/webhooks/additionalProperties/properties/allow_duplicate/anyOf/0/type", keyword: "type", params: { type: "boolean" }, message: "must be boolean", schema: schema31.properties.webhooks.additionalProperties.properties.allow_duplicate.anyOf[0].type, parentSchema: schema31.properties.webhooks.additionalProperties.properties.allow_duplicate.anyOf[0], data: data133 };
                if (vErrors === null) {
                  vErrors = [err320];
                } else {
                  vErrors.push(err320);
                }
                errors++;
              }
              var _valid19 = _errs418 === errors;
              valid116 = valid116 || _valid19;
              const _errs420 = errors;
              if (typeof data133 === "string") {
                if (!pattern14.test(data133)) {
                  const err321 = { instancePath: instancePath + "/webhooks/" + key41.replace(/~/g, "~0").replace(/\//g, "~1") + "/allow_duplicate", schemaPath: "#/properties/webhooks/additionalProperties/properties/allow_duplicate/anyOf/1/pattern", keyword: "pattern", params: { pattern: "\\$\\{" }, message: 'must match pattern "\\$\\{"', schema: "\\$\\{", parentSchema: schema31.properties.webhooks.additionalProperties.properties.allow_duplicate.anyOf[1], data: data133 };
                  if (vErrors === null) {
                    vErrors = [err321];
                  } else {
                    vErrors.push(err321);
                  }
                  errors++;
                }
              } else {
                const err322 = { instancePath: instancePath + "/webhooks/" + key41.replace(/~/g, "~0").replace(/\//g, "~1") + "/allow_duplicate", schemaPath: "#/properties/webhooks/additionalProperties/properties/allow_duplicate/anyOf/1/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema31.properties.webhooks.additionalProperties.properties.allow_duplicate.anyOf[1].type, parentSchema: schema31.properties.webhooks.additionalProperties.properties.allow_duplicate.anyOf[1], data: data133 };
                if (vErrors === null) {
                  vErrors = [err322];
                } else {
                  vErrors.push(err322);
                }
                errors++;
              }
              var _valid19 = _errs420 === errors;
              valid116 = valid116 || _valid19;
              if (!valid116) {
                const err323 = { instancePath: instancePath + "/webhooks/" + key41.replace(/~/g, "~0").replace(/\//g, "~1") + "/allow_duplicate", schemaPath: "#/properties/webhooks/additionalProperties/properties/allow_duplicate/anyOf", keyword: "anyOf", params: {}, message: "must match a schema in anyOf", schema: schema31.properties.webhooks.additionalProperties.properties.allow_duplicate.anyOf, parentSchema: schema31.properties.webhooks.additionalProperties.properties.allow_duplicate, data: data133 };
                if (vErrors === null) {
                  vErrors = [err323];
                } else {
                  vErrors.push(err323);
                }
                errors++;
              } else {
                errors = _errs417;
                if (vErrors !== null) {
                  if (_errs417) {
                    vErrors.length = _errs417;
                  } else {
                    vErrors = null;
                  }
                }
              }
            }
            if (data117.rotation !== void 0) {
              let data134 = data117.rotation;
              const _errs423 = errors;
              let valid117 = false;
              const _errs424 = errors;
              if (!(data134 === "delete_first" || data134 === "create_first")) {
                const err324 = { instancePath: instancePath + "/webhooks/" + key41.replace(/~/g, "~0").replace(/\//g, "~1") + "/rotation", schemaPath: "#/properties/webhooks/additionalProperties/properties/rotation/anyOf/0/enum", keyword: "enum", params: { allowedValues: schema31.properties.webhooks.additionalProperties.properties.rotation.anyOf[0].enum }, message: "must be equal to one of the allowed values", schema: schema31.properties.webhooks.additionalProperties.properties.rotation.anyOf[0].enum, parentSchema: schema31.properties.webhooks.additionalProperties.properties.rotation.anyOf[0], data: data134 };
                if (vErrors === null) {
                  vErrors = [err324];
                } else {
                  vErrors.push(err324);
                }
                errors++;
              }
              var _valid20 = _errs424 === errors;
              valid117 = valid117 || _valid20;
              const _errs425 = errors;
              if (typeof data134 !== "string") {
                const err325 = { instancePath: instancePath + "/webhooks/" + key41.replace(/~/g, "~0").replace(/\//g, "~1") + "/rotation", schemaPath: "#/properties/webhooks/additionalProperties/properties/rotation/anyOf/1/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema31.properties.webhooks.additionalProperties.properties.rotation.anyOf[1].type, parentSchema: schema31.properties.webhooks.additionalProperties.properties.rotation.anyOf[1], data: data134 };
                if (vErrors === null) {
                  vErrors = [err325];
                } else {
                  vErrors.push(err325);
                }
                errors++;
              }
              var _valid20 = _errs425 === errors;
              valid117 = valid117 || _valid20;
              if (!valid117) {
                const err326 = { instancePath: instancePath + "/webhooks/" + key41.replace(/~/g, "~0").replace(/\//g, "~1") + "/rotation", schemaPath: "#/properties/webhooks/additionalProperties/properties/rotation/anyOf", keyword: "anyOf", params: {}, message: "must match a schema in anyOf", schema: schema31.properties.webhooks.additionalProperties.properties.rotation.anyOf, parentSchema: schema31.properties.webhooks.additionalProperties.properties.rotation, data: data134 };
                if (vErrors === null) {
                  vErrors = [err326];
                } else {
                  vErrors.push(err326);
                }
                errors++;
              } else {
                errors = _errs423;
                if (vErrors !== null) {
                  if (_errs423) {
                    vErrors.length = _errs423;
                  } else {
                    vErrors = null;
                  }
                }
              }
            }
            if (data117.protect !== void 0) {
              let data135 = data117.protect;
              const _errs428 = errors;
              let valid118 = false;
              const _errs429 = errors;
              if (typeof data135 !== "boolean") {
                const err327 = { instancePath: instancePath + "/webhooks/" + key41.replace(/~/g, "~0").replace(/\//g, "~1") + "/protect", schemaPath: "#/properties/webhooks/additionalProperties/properties/protect/anyOf/0/type", keyword: "type", params: { type: "boolean" }, message: "must be boolean", schema: schema31.properties.webhooks.additionalProperties.properties.protect.anyOf[0].type, parentSchema: schema31.properties.webhooks.additionalProperties.properties.protect.anyOf[0], data: data135 };
                if (vErrors === null) {
                  vErrors = [err327];
                } else {
                  vErrors.push(err327);
                }
                errors++;
              }
              var _valid21 = _errs429 === errors;
              valid118 = valid118 || _valid21;
              const _errs431 = errors;
              if (typeof data135 === "string") {
                if (!pattern14.test(data135)) {
                  const err328 = { instancePath: instancePath + "/webhooks/" + key41.replace(/~/g, "~0").replace(/\//g, "~1") + "/protect", schemaPath: "#/properties/webhooks/additionalProperties/properties/protect/anyOf/1/pattern", keyword: "pattern", params: { pattern: "\\$\\{" }, message: 'must match pattern "\\$\\{"', schema: "\\$\\{", parentSchema: schema31.properties.webhooks.additionalProperties.properties.protect.anyOf[1], data: data135 };
                  if (vErrors === null) {
                    vErrors = [err328];
                  } else {
                    vErrors.push(err328);
                  }
                  errors++;
                }
              } else {
                const err329 = { instancePath: instancePath + "/webhooks/" + key41.replace(/~/g, "~0").replace(/\//g, "~1") + "/protect", schemaPath: "#/properties/webhooks/additionalProperties/properties/protect/anyOf/1/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema31.properties.webhooks.additionalProperties.properties.protect.anyOf[1].type, parentSchema: schema31.properties.webhooks.additionalProperties.properties.protect.anyOf[1], data: data135 };
                if (vErrors === null) {
                  vErrors = [err329];
                } else {
                  vErrors.push(err329);
                }
                errors++;
              }
              var _valid21 = _errs431 === errors;
              valid118 = valid118 || _valid21;
              if (!valid118) {
                const err330 = { instancePath: instancePath + "/webhooks/" + key41.replace(/~/g, "~0").replace(/\//g, "~1") + "/protect", schemaPath: "#/properties/webhooks/additionalProperties/properties/protect/anyOf", keyword: "anyOf", params: {}, message: "must match a schema in anyOf", schema: schema31.properties.webhooks.additionalProperties.properties.protect.anyOf, parentSchema: schema31.properties.webhooks.additionalProperties.properties.protect, data: data135 };
                if (vErrors === null) {
                  vErrors = [err330];
                } else {
                  vErrors.push(err330);
                }
                errors++;
              } else {
                errors = _errs428;
                if (vErrors !== null) {
                  if (_errs428) {
                    vErrors.length = _errs428;
                  } else {
                    vErrors = null;
                  }
                }
              }
            }
            if (data117.allow_empty !== void 0) {
              let data136 = data117.allow_empty;
              if (typeof data136 !== "boolean") {
                const err331 = { instancePath: instancePath + "/webhooks/" + key41.replace(/~/g, "~0").replace(/\//g, "~1") + "/allow_empty", schemaPath: "#/properties/webhooks/additionalProperties/properties/allow_empty/type", keyword: "type", params: { type: "boolean" }, message: "must be boolean", schema: schema31.properties.webhooks.additionalProperties.properties.allow_empty.type, parentSchema: schema31.properties.webhooks.additionalProperties.properties.allow_empty, data: data136 };
                if (vErrors === null) {
                  vErrors = [err331];
                } else {
                  vErrors.push(err331);
                }
                errors++;
              }
            }
            if (data117.prune !== void 0) {
              let data137 = data117.prune;
              if (typeof data137 !== "boolean") {
                const err332 = { instancePath: instancePath + "/webhooks/" + key41.replace(/~/g, "~0").replace(/\//g, "~1") + "/prune", schemaPath: "#/properties/webhooks/additionalProperties/properties/prune/type", keyword: "type", params: { type: "boolean" }, message: "must be boolean", schema: schema31.properties.webhooks.additionalProperties.properties.prune.type, parentSchema: schema31.properties.webhooks.additionalProperties.properties.prune, data: data137 };
                if (vErrors === null) {
                  vErrors = [err332];
                } else {
                  vErrors.push(err332);
                }
                errors++;
              }
            }
          } else {
            const err333 = { instancePath: instancePath + "/webhooks/" + key41.replace(/~/g, "~0").replace(/\//g, "~1"), schemaPath: "#/properties/webhooks/additionalProperties/type", keyword: "type", params: { type: "object" }, message: "must be object", schema: schema31.properties.webhooks.additionalProperties.type, parentSchema: schema31.properties.webhooks.additionalProperties, data: data117 };
            if (vErrors === null) {
              vErrors = [err333];
            } else {
              vErrors.push(err333);
            }
            errors++;
          }
        }
      } else {
        const err334 = { instancePath: instancePath + "/webhooks", schemaPath: "#/properties/webhooks/type", keyword: "type", params: { type: "object" }, message: "must be object", schema: schema31.properties.webhooks.type, parentSchema: schema31.properties.webhooks, data: data116 };
        if (vErrors === null) {
          vErrors = [err334];
        } else {
          vErrors.push(err334);
        }
        errors++;
      }
    }
    if (data.lead_unsubscriptions !== void 0) {
      let data138 = data.lead_unsubscriptions;
      if (data138 && typeof data138 == "object" && !Array.isArray(data138)) {
        for (const key44 in data138) {
          const _errs439 = errors;
          if (typeof key44 === "string") {
            if (!pattern5.test(key44)) {
              const err335 = { instancePath: instancePath + "/lead_unsubscriptions", schemaPath: "#/properties/lead_unsubscriptions/propertyNames/pattern", keyword: "pattern", params: { pattern: "^(?:(?![\\u115f\\u1160\\u3164\\uffa0])[\\p{L}_])(?:(?![\\u115f\\u1160\\u3164\\uffa0])[\\p{L}\\p{N}_-])*$" }, message: 'must match pattern "^(?:(?![\\u115f\\u1160\\u3164\\uffa0])[\\p{L}_])(?:(?![\\u115f\\u1160\\u3164\\uffa0])[\\p{L}\\p{N}_-])*$"', schema: "^(?:(?![\\u115f\\u1160\\u3164\\uffa0])[\\p{L}_])(?:(?![\\u115f\\u1160\\u3164\\uffa0])[\\p{L}\\p{N}_-])*$", parentSchema: schema31.properties.lead_unsubscriptions.propertyNames, data: key44, propertyName: key44 };
              if (vErrors === null) {
                vErrors = [err335];
              } else {
                vErrors.push(err335);
              }
              errors++;
            }
          }
          var valid119 = _errs439 === errors;
          if (!valid119) {
            const err336 = { instancePath: instancePath + "/lead_unsubscriptions", schemaPath: "#/properties/lead_unsubscriptions/propertyNames", keyword: "propertyNames", params: { propertyName: key44 }, message: "property name must be valid", schema: schema31.properties.lead_unsubscriptions.propertyNames, parentSchema: schema31.properties.lead_unsubscriptions, data: data138 };
            if (vErrors === null) {
              vErrors = [err336];
            } else {
              vErrors.push(err336);
            }
            errors++;
          }
        }
        for (const key45 in data138) {
          let data139 = data138[key45];
          if (data139 && typeof data139 == "object" && !Array.isArray(data139)) {
            for (const key46 in data139) {
              if (!func1.call(schema31.properties.lead_unsubscriptions.additionalProperties.properties, key46)) {
                const err337 = { instancePath: instancePath + "/lead_unsubscriptions/" + key45.replace(/~/g, "~0").replace(/\//g, "~1"), schemaPath: "#/properties/lead_unsubscriptions/additionalProperties/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key46 }, message: "must NOT have additional properties", schema: false, parentSchema: schema31.properties.lead_unsubscriptions.additionalProperties, data: data139 };
                if (vErrors === null) {
                  vErrors = [err337];
                } else {
                  vErrors.push(err337);
                }
                errors++;
              }
            }
            if (data139.campaign_id !== void 0) {
              let data140 = data139.campaign_id;
              if (typeof data140 !== "string") {
                const err338 = { instancePath: instancePath + "/lead_unsubscriptions/" + key45.replace(/~/g, "~0").replace(/\//g, "~1") + "/campaign_id", schemaPath: "#/properties/lead_unsubscriptions/additionalProperties/properties/campaign_id/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema31.properties.lead_unsubscriptions.additionalProperties.properties.campaign_id.type, parentSchema: schema31.properties.lead_unsubscriptions.additionalProperties.properties.campaign_id, data: data140 };
                if (vErrors === null) {
                  vErrors = [err338];
                } else {
                  vErrors.push(err338);
                }
                errors++;
              }
            }
            if (data139.campaign !== void 0) {
              let data141 = data139.campaign;
              if (typeof data141 !== "string") {
                const err339 = { instancePath: instancePath + "/lead_unsubscriptions/" + key45.replace(/~/g, "~0").replace(/\//g, "~1") + "/campaign", schemaPath: "#/properties/lead_unsubscriptions/additionalProperties/properties/campaign/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema31.properties.lead_unsubscriptions.additionalProperties.properties.campaign.type, parentSchema: schema31.properties.lead_unsubscriptions.additionalProperties.properties.campaign, data: data141 };
                if (vErrors === null) {
                  vErrors = [err339];
                } else {
                  vErrors.push(err339);
                }
                errors++;
              }
            }
            if (data139.campaigns !== void 0) {
              let data142 = data139.campaigns;
              if (typeof data142 !== "string" && !Array.isArray(data142)) {
                const err340 = { instancePath: instancePath + "/lead_unsubscriptions/" + key45.replace(/~/g, "~0").replace(/\//g, "~1") + "/campaigns", schemaPath: "#/properties/lead_unsubscriptions/additionalProperties/properties/campaigns/type", keyword: "type", params: { type: schema31.properties.lead_unsubscriptions.additionalProperties.properties.campaigns.type }, message: "must be string,array", schema: schema31.properties.lead_unsubscriptions.additionalProperties.properties.campaigns.type, parentSchema: schema31.properties.lead_unsubscriptions.additionalProperties.properties.campaigns, data: data142 };
                if (vErrors === null) {
                  vErrors = [err340];
                } else {
                  vErrors.push(err340);
                }
                errors++;
              }
              if (Array.isArray(data142)) {
                const len15 = data142.length;
                for (let i15 = 0; i15 < len15; i15++) {
                  let data143 = data142[i15];
                  if (typeof data143 !== "string") {
                    const err341 = { instancePath: instancePath + "/lead_unsubscriptions/" + key45.replace(/~/g, "~0").replace(/\//g, "~1") + "/campaigns/" + i15, schemaPath: "#/properties/lead_unsubscriptions/additionalProperties/properties/campaigns/items/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema31.properties.lead_unsubscriptions.additionalProperties.properties.campaigns.items.type, parentSchema: schema31.properties.lead_unsubscriptions.additionalProperties.properties.campaigns.items, data: data143 };
                    if (vErrors === null) {
                      vErrors = [err341];
                    } else {
                      vErrors.push(err341);
                    }
                    errors++;
                  }
                }
              }
            }
            if (data139.email !== void 0) {
              let data144 = data139.email;
              if (typeof data144 !== "string") {
                const err342 = { instancePath: instancePath + "/lead_unsubscriptions/" + key45.replace(/~/g, "~0").replace(/\//g, "~1") + "/email", schemaPath: "#/properties/lead_unsubscriptions/additionalProperties/properties/email/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema31.properties.lead_unsubscriptions.additionalProperties.properties.email.type, parentSchema: schema31.properties.lead_unsubscriptions.additionalProperties.properties.email, data: data144 };
                if (vErrors === null) {
                  vErrors = [err342];
                } else {
                  vErrors.push(err342);
                }
                errors++;
              }
            }
            if (data139.emails !== void 0) {
              let data145 = data139.emails;
              if (Array.isArray(data145)) {
                const len16 = data145.length;
                for (let i16 = 0; i16 < len16; i16++) {
                  let data146 = data145[i16];
                  if (typeof data146 !== "string") {
                    const err343 = { instancePath: instancePath + "/lead_unsubscriptions/" + key45.replace(/~/g, "~0").replace(/\//g, "~1") + "/emails/" + i16, schemaPath: "#/properties/lead_unsubscriptions/additionalProperties/properties/emails/items/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema31.properties.lead_unsubscriptions.additionalProperties.properties.emails.items.type, parentSchema: schema31.properties.lead_unsubscriptions.additionalProperties.properties.emails.items, data: data146 };
                    if (vErrors === null) {
                      vErrors = [err343];
                    } else {
                      vErrors.push(err343);
                    }
                    errors++;
                  }
                }
              } else {
                const err344 = { instancePath: instancePath + "/lead_unsubscriptions/" + key45.replace(/~/g, "~0").replace(/\//g, "~1") + "/emails", schemaPath: "#/properties/lead_unsubscriptions/additionalProperties/properties/emails/type", keyword: "type", params: { type: "array" }, message: "must be array", schema: schema31.properties.lead_unsubscriptions.additionalProperties.properties.emails.type, parentSchema: schema31.properties.lead_unsubscriptions.additionalProperties.properties.emails, data: data145 };
                if (vErrors === null) {
                  vErrors = [err344];
                } else {
                  vErrors.push(err344);
                }
                errors++;
              }
            }
            if (data139.emails_from !== void 0) {
              let data147 = data139.emails_from;
              if (typeof data147 !== "string" && !(data147 && typeof data147 == "object" && !Array.isArray(data147))) {
                const err345 = { instancePath: instancePath + "/lead_unsubscriptions/" + key45.replace(/~/g, "~0").replace(/\//g, "~1") + "/emails_from", schemaPath: "#/properties/lead_unsubscriptions/additionalProperties/properties/emails_from/type", keyword: "type", params: { type: schema31.properties.lead_unsubscriptions.additionalProperties.properties.emails_from.type }, message: "must be string,object", schema: schema31.properties.lead_unsubscriptions.additionalProperties.properties.emails_from.type, parentSchema: schema31.properties.lead_unsubscriptions.additionalProperties.properties.emails_from, data: data147 };
                if (vErrors === null) {
                  vErrors = [err345];
                } else {
                  vErrors.push(err345);
                }
                errors++;
              }
              if (typeof data147 === "string") {
                if (func2(data147) < 1) {
                  const err346 = { instancePath: instancePath + "/lead_unsubscriptions/" + key45.replace(/~/g, "~0").replace(/\//g, "~1") + "/emails_from", schemaPath: "#/properties/lead_unsubscriptions/additionalProperties/properties/emails_from/minLength", keyword: "minLength", params: { limit: 1 }, message: "must NOT have fewer than 1 characters", schema: 1, parentSchema: schema31.properties.lead_unsubscriptions.additionalProperties.properties.emails_from, data: data147 };
                  if (vErrors === null) {
                    vErrors = [err346];
                  } else {
                    vErrors.push(err346);
                  }
                  errors++;
                }
              }
              if (data147 && typeof data147 == "object" && !Array.isArray(data147)) {
                if (data147.file === void 0) {
                  const err347 = { instancePath: instancePath + "/lead_unsubscriptions/" + key45.replace(/~/g, "~0").replace(/\//g, "~1") + "/emails_from", schemaPath: "#/properties/lead_unsubscriptions/additionalProperties/properties/emails_from/required", keyword: "required", params: { missingProperty: "file" }, message: "must have required property 'file'", schema: schema31.properties.lead_unsubscriptions.additionalProperties.properties.emails_from.required, parentSchema: schema31.properties.lead_unsubscriptions.additionalProperties.properties.emails_from, data: data147 };
                  if (vErrors === null) {
                    vErrors = [err347];
                  } else {
                    vErrors.push(err347);
                  }
                  errors++;
                }
                for (const key47 in data147) {
                  if (!(key47 === "file" || key47 === "column")) {
                    const err348 = { instancePath: instancePath + "/lead_unsubscriptions/" + key45.replace(/~/g, "~0").replace(/\//g, "~1") + "/emails_from", schemaPath: "#/properties/lead_unsubscriptions/additionalProperties/properties/emails_from/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key47 }, message: "must NOT have additional properties", schema: false, parentSchema: schema31.properties.lead_unsubscriptions.additionalProperties.properties.emails_from, data: data147 };
                    if (vErrors === null) {
                      vErrors = [err348];
                    } else {
                      vErrors.push(err348);
                    }
                    errors++;
                  }
                }
                if (data147.file !== void 0) {
                  let data148 = data147.file;
                  if (typeof data148 === "string") {
                    if (func2(data148) < 1) {
                      const err349 = { instancePath: instancePath + "/lead_unsubscriptions/" + key45.replace(/~/g, "~0").replace(/\//g, "~1") + "/emails_from/file", schemaPath: "#/properties/lead_unsubscriptions/additionalProperties/properties/emails_from/properties/file/minLength", keyword: "minLength", params: { limit: 1 }, message: "must NOT have fewer than 1 characters", schema: 1, parentSchema: schema31.properties.lead_unsubscriptions.additionalProperties.properties.emails_from.properties.file, data: data148 };
                      if (vErrors === null) {
                        vErrors = [err349];
                      } else {
                        vErrors.push(err349);
                      }
                      errors++;
                    }
                  } else {
                    const err350 = { instancePath: instancePath + "/lead_unsubscriptions/" + key45.replace(/~/g, "~0").replace(/\//g, "~1") + "/emails_from/file", schemaPath: "#/properties/lead_unsubscriptions/additionalProperties/properties/emails_from/properties/file/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema31.properties.lead_unsubscriptions.additionalProperties.properties.emails_from.properties.file.type, parentSchema: schema31.properties.lead_unsubscriptions.additionalProperties.properties.emails_from.properties.file, data: data148 };
                    if (vErrors === null) {
                      vErrors = [err350];
                    } else {
                      vErrors.push(err350);
                    }
                    errors++;
                  }
                }
                if (data147.column !== void 0) {
                  let data149 = data147.column;
                  if (typeof data149 === "string") {
                    if (func2(data149) < 1) {
                      const err351 = { instancePath: instancePath + "/lead_unsubscriptions/" + key45.replace(/~/g, "~0").replace(/\//g, "~1") + "/emails_from/column", schemaPath: "#/properties/lead_unsubscriptions/additionalProperties/properties/emails_from/properties/column/minLength", keyword: "minLength", params: { limit: 1 }, message: "must NOT have fewer than 1 characters", schema: 1, parentSchema: schema31.properties.lead_unsubscriptions.additionalProperties.properties.emails_from.properties.column, data: data149 };
                      if (vErrors === null) {
                        vErrors = [err351];
                      } else {
                        vErrors.push(err351);
                      }
                      errors++;
                    }
                  } else {
                    const err352 = { instancePath: instancePath + "/lead_unsubscriptions/" + key45.replace(/~/g, "~0").replace(/\//g, "~1") + "/emails_from/column", schemaPath: "#/properties/lead_unsubscriptions/additionalProperties/properties/emails_from/properties/column/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema31.properties.lead_unsubscriptions.additionalProperties.properties.emails_from.properties.column.type, parentSchema: schema31.properties.lead_unsubscriptions.additionalProperties.properties.emails_from.properties.column, data: data149 };
                    if (vErrors === null) {
                      vErrors = [err352];
                    } else {
                      vErrors.push(err352);
                    }
                    errors++;
                  }
                }
              }
            }
            if (data139.on_not_found !== void 0) {
              let data150 = data139.on_not_found;
              const _errs466 = errors;
              let valid127 = false;
              const _errs467 = errors;
              if (!(data150 === "warn" || data150 === "ignore" || data150 === "error" || data150 === "retry")) {
                const err353 = { instancePath: instancePath + "/lead_unsubscriptions/" + key45.replace(/~/g, "~0").replace(/\//g, "~1") + "/on_not_found", schemaPath: "#/properties/lead_unsubscriptions/additionalProperties/properties/on_not_found/anyOf/0/enum", keyword: "enum", params: { allowedValues: schema31.properties.lead_unsubscriptions.additionalProperties.properties.on_not_found.anyOf[0].enum }, message: "must be equal to one of the allowed values", schema: schema31.properties.lead_unsubscriptions.additionalProperties.properties.on_not_found.anyOf[0].enum, parentSchema: schema31.properties.lead_unsubscriptions.additionalProperties.properties.on_not_found.anyOf[0], data: data150 };
                if (vErrors === null) {
                  vErrors = [err353];
                } else {
                  vErrors.push(err353);
                }
                errors++;
              }
              var _valid22 = _errs467 === errors;
              valid127 = valid127 || _valid22;
              const _errs468 = errors;
              if (typeof data150 !== "string") {
                const err354 = { instancePath: instancePath + "/lead_unsubscriptions/" + key45.replace(/~/g, "~0").replace(/\//g, "~1") + "/on_not_found", schemaPath: "#/properties/lead_unsubscriptions/additionalProperties/properties/on_not_found/anyOf/1/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema31.properties.lead_unsubscriptions.additionalProperties.properties.on_not_found.anyOf[1].type, parentSchema: schema31.properties.lead_unsubscriptions.additionalProperties.properties.on_not_found.anyOf[1], data: data150 };
                if (vErrors === null) {
                  vErrors = [err354];
                } else {
                  vErrors.push(err354);
                }
                errors++;
              }
              var _valid22 = _errs468 === errors;
              valid127 = valid127 || _valid22;
              if (!valid127) {
                const err355 = { instancePath: instancePath + "/lead_unsubscriptions/" + key45.replace(/~/g, "~0").replace(/\//g, "~1") + "/on_not_found", schemaPath: "#/properties/lead_unsubscriptions/additionalProperties/properties/on_not_found/anyOf", keyword: "anyOf", params: {}, message: "must match a schema in anyOf", schema: schema31.properties.lead_unsubscriptions.additionalProperties.properties.on_not_found.anyOf, parentSchema: schema31.properties.lead_unsubscriptions.additionalProperties.properties.on_not_found, data: data150 };
                if (vErrors === null) {
                  vErrors = [err355];
                } else {
                  vErrors.push(err355);
                }
                errors++;
              } else {
                errors = _errs466;
                if (vErrors !== null) {
                  if (_errs466) {
                    vErrors.length = _errs466;
                  } else {
                    vErrors = null;
                  }
                }
              }
            }
            if (data139.allow_empty !== void 0) {
              let data151 = data139.allow_empty;
              if (typeof data151 !== "boolean") {
                const err356 = { instancePath: instancePath + "/lead_unsubscriptions/" + key45.replace(/~/g, "~0").replace(/\//g, "~1") + "/allow_empty", schemaPath: "#/properties/lead_unsubscriptions/additionalProperties/properties/allow_empty/type", keyword: "type", params: { type: "boolean" }, message: "must be boolean", schema: schema31.properties.lead_unsubscriptions.additionalProperties.properties.allow_empty.type, parentSchema: schema31.properties.lead_unsubscriptions.additionalProperties.properties.allow_empty, data: data151 };
                if (vErrors === null) {
                  vErrors = [err356];
                } else {
                  vErrors.push(err356);
                }
                errors++;
              }
            }
            if (data139.prune !== void 0) {
              let data152 = data139.prune;
              if (typeof data152 !== "boolean") {
                const err357 = { instancePath: instancePath + "/lead_unsubscriptions/" + key45.replace(/~/g, "~0").replace(/\//g, "~1") + "/prune", schemaPath: "#/properties/lead_unsubscriptions/additionalProperties/properties/prune/type", keyword: "type", params: { type: "boolean" }, message: "must be boolean", schema: schema31.properties.lead_unsubscriptions.additionalProperties.properties.prune.type, parentSchema: schema31.properties.lead_unsubscriptions.additionalProperties.properties.prune, data: data152 };
                if (vErrors === null) {
                  vErrors = [err357];
                } else {
                  vErrors.push(err357);
                }
                errors++;
              }
            }
          } else {
            const err358 = { instancePath: instancePath + "/lead_unsubscriptions/" + key45.replace(/~/g, "~0").replace(/\//g, "~1"), schemaPath: "#/properties/lead_unsubscriptions/additionalProperties/type", keyword: "type", params: { type: "object" }, message: "must be object", schema: schema31.properties.lead_unsubscriptions.additionalProperties.type, parentSchema: schema31.properties.lead_unsubscriptions.additionalProperties, data: data139 };
            if (vErrors === null) {
              vErrors = [err358];
            } else {
              vErrors.push(err358);
            }
            errors++;
          }
        }
      } else {
        const err359 = { instancePath: instancePath + "/lead_unsubscriptions", schemaPath: "#/properties/lead_unsubscriptions/type", keyword: "type", params: { type: "object" }, message: "must be object", schema: schema31.properties.lead_unsubscriptions.type, parentSchema: schema31.properties.lead_unsubscriptions, data: data138 };
        if (vErrors === null) {
          vErrors = [err359];
        } else {
          vErrors.push(err359);
        }
        errors++;
      }
    }
    if (data.imports !== void 0) {
      let data153 = data.imports;
      if (Array.isArray(data153)) {
        const len17 = data153.length;
        for (let i17 = 0; i17 < len17; i17++) {
          let data154 = data153[i17];
          if (data154 && typeof data154 == "object" && !Array.isArray(data154)) {
            if (data154.to === void 0) {
              const err360 = { instancePath: instancePath + "/imports/" + i17, schemaPath: "#/properties/imports/items/required", keyword: "required", params: { missingProperty: "to" }, message: "must have required property 'to'", schema: schema31.properties.imports.items.required, parentSchema: schema31.properties.imports.items, data: data154 };
              if (vErrors === null) {
                vErrors = [err360];
              } else {
                vErrors.push(err360);
              }
              errors++;
            }
            if (data154.id === void 0) {
              const err361 = { instancePath: instancePath + "/imports/" + i17, schemaPath: "#/properties/imports/items/required", keyword: "required", params: { missingProperty: "id" }, message: "must have required property 'id'", schema: schema31.properties.imports.items.required, parentSchema: schema31.properties.imports.items, data: data154 };
              if (vErrors === null) {
                vErrors = [err361];
              } else {
                vErrors.push(err361);
              }
              errors++;
            }
            for (const key48 in data154) {
              if (!(key48 === "to" || key48 === "id")) {
                const err362 = { instancePath: instancePath + "/imports/" + i17, schemaPath: "#/properties/imports/items/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key48 }, message: "must NOT have additional properties", schema: false, parentSchema: schema31.properties.imports.items, data: data154 };
                if (vErrors === null) {
                  vErrors = [err362];
                } else {
                  vErrors.push(err362);
                }
                errors++;
              }
            }
            if (data154.to !== void 0) {
              let data155 = data154.to;
              if (typeof data155 === "string") {
                if (func2(data155) < 1) {
                  const err363 = { instancePath: instancePath + "/imports/" + i17 + "/to", schemaPath: "#/properties/imports/items/properties/to/minLength", keyword: "minLength", params: { limit: 1 }, message: "must NOT have fewer than 1 characters", schema: 1, parentSchema: schema31.properties.imports.items.properties.to, data: data155 };
                  if (vErrors === null) {
                    vErrors = [err363];
                  } else {
                    vErrors.push(err363);
                  }
                  errors++;
                }
              } else {
                const err364 = { instancePath: instancePath + "/imports/" + i17 + "/to", schemaPath: "#/properties/imports/items/properties/to/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema31.properties.imports.items.properties.to.type, parentSchema: schema31.properties.imports.items.properties.to, data: data155 };
                if (vErrors === null) {
                  vErrors = [err364];
                } else {
                  vErrors.push(err364);
                }
                errors++;
              }
            }
            if (data154.id !== void 0) {
              let data156 = data154.id;
              if (typeof data156 === "string") {
                if (func2(data156) < 1) {
                  const err365 = { instancePath: instancePath + "/imports/" + i17 + "/id", schemaPath: "#/properties/imports/items/properties/id/minLength", keyword: "minLength", params: { limit: 1 }, message: "must NOT have fewer than 1 characters", schema: 1, parentSchema: schema31.properties.imports.items.properties.id, data: data156 };
                  if (vErrors === null) {
                    vErrors = [err365];
                  } else {
                    vErrors.push(err365);
                  }
                  errors++;
                }
              } else {
                const err366 = { instancePath: instancePath + "/imports/" + i17 + "/id", schemaPath: "#/properties/imports/items/properties/id/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema31.properties.imports.items.properties.id.type, parentSchema: schema31.properties.imports.items.properties.id, data: data156 };
                if (vErrors === null) {
                  vErrors = [err366];
                } else {
                  vErrors.push(err366);
                }
                errors++;
              }
            }
          } else {
            const err367 = { instancePath: instancePath + "/imports/" + i17, schemaPath: "#/properties/imports/items/type", keyword: "type", params: { type: "object" }, message: "must be object", schema: schema31.properties.imports.items.type, parentSchema: schema31.properties.imports.items, data: data154 };
            if (vErrors === null) {
              vErrors = [err367];
            } else {
              vErrors.push(err367);
            }
            errors++;
          }
        }
      } else {
        const err368 = { instancePath: instancePath + "/imports", schemaPath: "#/properties/imports/type", keyword: "type", params: { type: "array" }, message: "must be array", schema: schema31.properties.imports.type, parentSchema: schema31.properties.imports, data: data153 };
        if (vErrors === null) {
          vErrors = [err368];
        } else {
          vErrors.push(err368);
        }
        errors++;
      }
    }
    if (data.moved !== void 0) {
      let data157 = data.moved;
      if (Array.isArray(data157)) {
        const len18 = data157.length;
        for (let i18 = 0; i18 < len18; i18++) {
          let data158 = data157[i18];
          if (data158 && typeof data158 == "object" && !Array.isArray(data158)) {
            if (data158.from === void 0) {
              const err369 = { instancePath: instancePath + "/moved/" + i18, schemaPath: "#/properties/moved/items/required", keyword: "required", params: { missingProperty: "from" }, message: "must have required property 'from'", schema: schema31.properties.moved.items.required, parentSchema: schema31.properties.moved.items, data: data158 };
              if (vErrors === null) {
                vErrors = [err369];
              } else {
                vErrors.push(err369);
              }
              errors++;
            }
            if (data158.to === void 0) {
              const err370 = { instancePath: instancePath + "/moved/" + i18, schemaPath: "#/properties/moved/items/required", keyword: "required", params: { missingProperty: "to" }, message: "must have required property 'to'", schema: schema31.properties.moved.items.required, parentSchema: schema31.properties.moved.items, data: data158 };
              if (vErrors === null) {
                vErrors = [err370];
              } else {
                vErrors.push(err370);
              }
              errors++;
            }
            for (const key49 in data158) {
              if (!(key49 === "from" || key49 === "to")) {
                const err371 = { instancePath: instancePath + "/moved/" + i18, schemaPath: "#/properties/moved/items/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key49 }, message: "must NOT have additional properties", schema: false, parentSchema: schema31.properties.moved.items, data: data158 };
                if (vErrors === null) {
                  vErrors = [err371];
                } else {
                  vErrors.push(err371);
                }
                errors++;
              }
            }
            if (data158.from !== void 0) {
              let data159 = data158.from;
              if (typeof data159 === "string") {
                if (func2(data159) < 1) {
                  const err372 = { instancePath: instancePath + "/moved/" + i18 + "/from", schemaPath: "#/properties/moved/items/properties/from/minLength", keyword: "minLength", params: { limit: 1 }, message: "must NOT have fewer than 1 characters", schema: 1, parentSchema: schema31.properties.moved.items.properties.from, data: data159 };
                  if (vErrors === null) {
                    vErrors = [err372];
                  } else {
                    vErrors.push(err372);
                  }
                  errors++;
                }
              } else {
                const err373 = { instancePath: instancePath + "/moved/" + i18 + "/from", schemaPath: "#/properties/moved/items/properties/from/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema31.properties.moved.items.properties.from.type, parentSchema: schema31.properties.moved.items.properties.from, data: data159 };
                if (vErrors === null) {
                  vErrors = [err373];
                } else {
                  vErrors.push(err373);
                }
                errors++;
              }
            }
            if (data158.to !== void 0) {
              let data160 = data158.to;
              if (typeof data160 === "string") {
                if (func2(data160) < 1) {
                  const err374 = { instancePath: instancePath + "/moved/" + i18 + "/to", schemaPath: "#/properties/moved/items/properties/to/minLength", keyword: "minLength", params: { limit: 1 }, message: "must NOT have fewer than 1 characters", schema: 1, parentSchema: schema31.properties.moved.items.properties.to, data: data160 };
                  if (vErrors === null) {
                    vErrors = [err374];
                  } else {
                    vErrors.push(err374);
                  }
                  errors++;
                }
              } else {
                const err375 = { instancePath: instancePath + "/moved/" + i18 + "/to", schemaPath: "#/properties/moved/items/properties/to/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema31.properties.moved.items.properties.to.type, parentSchema: schema31.properties.moved.items.properties.to, data: data160 };
                if (vErrors === null) {
                  vErrors = [err375];
                } else {
                  vErrors.push(err375);
                }
                errors++;
              }
            }
          } else {
            const err376 = { instancePath: instancePath + "/moved/" + i18, schemaPath: "#/properties/moved/items/type", keyword: "type", params: { type: "object" }, message: "must be object", schema: schema31.properties.moved.items.type, parentSchema: schema31.properties.moved.items, data: data158 };
            if (vErrors === null) {
              vErrors = [err376];
            } else {
              vErrors.push(err376);
            }
            errors++;
          }
        }
      } else {
        const err377 = { instancePath: instancePath + "/moved", schemaPath: "#/properties/moved/type", keyword: "type", params: { type: "array" }, message: "must be array", schema: schema31.properties.moved.type, parentSchema: schema31.properties.moved, data: data157 };
        if (vErrors === null) {
          vErrors = [err377];
        } else {
          vErrors.push(err377);
        }
        errors++;
      }
    }
    if (data.removed !== void 0) {
      let data161 = data.removed;
      if (Array.isArray(data161)) {
        const len19 = data161.length;
        for (let i19 = 0; i19 < len19; i19++) {
          let data162 = data161[i19];
          if (data162 && typeof data162 == "object" && !Array.isArray(data162)) {
            if (data162.from === void 0) {
              const err378 = { instancePath: instancePath + "/removed/" + i19, schemaPath: "#/properties/removed/items/required", keyword: "required", params: { missingProperty: "from" }, message: "must have required property 'from'", schema: schema31.properties.removed.items.required, parentSchema: schema31.properties.removed.items, data: data162 };
              if (vErrors === null) {
                vErrors = [err378];
              } else {
                vErrors.push(err378);
              }
              errors++;
            }
            for (const key50 in data162) {
              if (!(key50 === "from" || key50 === "destroy")) {
                const err379 = { instancePath: instancePath + "/removed/" + i19, schemaPath: "#/properties/removed/items/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key50 }, message: "must NOT have additional properties", schema: false, parentSchema: schema31.properties.removed.items, data: data162 };
                if (vErrors === null) {
                  vErrors = [err379];
                } else {
                  vErrors.push(err379);
                }
                errors++;
              }
            }
            if (data162.from !== void 0) {
              let data163 = data162.from;
              if (typeof data163 === "string") {
                if (func2(data163) < 1) {
                  const err380 = { instancePath: instancePath + "/removed/" + i19 + "/from", schemaPath: "#/properties/removed/items/properties/from/minLength", keyword: "minLength", params: { limit: 1 }, message: "must NOT have fewer than 1 characters", schema: 1, parentSchema: schema31.properties.removed.items.properties.from, data: data163 };
                  if (vErrors === null) {
                    vErrors = [err380];
                  } else {
                    vErrors.push(err380);
                  }
                  errors++;
                }
              } else {
                const err381 = { instancePath: instancePath + "/removed/" + i19 + "/from", schemaPath: "#/properties/removed/items/properties/from/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema31.properties.removed.items.properties.from.type, parentSchema: schema31.properties.removed.items.properties.from, data: data163 };
                if (vErrors === null) {
                  vErrors = [err381];
                } else {
                  vErrors.push(err381);
                }
                errors++;
              }
            }
            if (data162.destroy !== void 0) {
              let data164 = data162.destroy;
              if (typeof data164 !== "boolean") {
                const err382 = { instancePath: instancePath + "/removed/" + i19 + "/destroy", schemaPath: "#/properties/removed/items/properties/destroy/type", keyword: "type", params: { type: "boolean" }, message: "must be boolean", schema: schema31.properties.removed.items.properties.destroy.type, parentSchema: schema31.properties.removed.items.properties.destroy, data: data164 };
                if (vErrors === null) {
                  vErrors = [err382];
                } else {
                  vErrors.push(err382);
                }
                errors++;
              }
            }
          } else {
            const err383 = { instancePath: instancePath + "/removed/" + i19, schemaPath: "#/properties/removed/items/type", keyword: "type", params: { type: "object" }, message: "must be object", schema: schema31.properties.removed.items.type, parentSchema: schema31.properties.removed.items, data: data162 };
            if (vErrors === null) {
              vErrors = [err383];
            } else {
              vErrors.push(err383);
            }
            errors++;
          }
        }
      } else {
        const err384 = { instancePath: instancePath + "/removed", schemaPath: "#/properties/removed/type", keyword: "type", params: { type: "array" }, message: "must be array", schema: schema31.properties.removed.type, parentSchema: schema31.properties.removed, data: data161 };
        if (vErrors === null) {
          vErrors = [err384];
        } else {
          vErrors.push(err384);
        }
        errors++;
      }
    }
    if (data.outputs !== void 0) {
      let data165 = data.outputs;
      if (data165 && typeof data165 == "object" && !Array.isArray(data165)) {
        for (const key51 in data165) {
          const _errs503 = errors;
          if (typeof key51 === "string") {
            if (!pattern5.test(key51)) {
              const err385 = { instancePath: instancePath + "/outputs", schemaPath: "#/properties/outputs/propertyNames/pattern", keyword: "pattern", params: { pattern: "^(?:(?![\\u115f\\u1160\\u3164\\uffa0])[\\p{L}_])(?:(?![\\u115f\\u1160\\u3164\\uffa0])[\\p{L}\\p{N}_-])*$" }, message: 'must match pattern "^(?:(?![\\u115f\\u1160\\u3164\\uffa0])[\\p{L}_])(?:(?![\\u115f\\u1160\\u3164\\uffa0])[\\p{L}\\p{N}_-])*$"', schema: "^(?:(?![\\u115f\\u1160\\u3164\\uffa0])[\\p{L}_])(?:(?![\\u115f\\u1160\\u3164\\uffa0])[\\p{L}\\p{N}_-])*$", parentSchema: schema31.properties.outputs.propertyNames, data: key51, propertyName: key51 };
              if (vErrors === null) {
                vErrors = [err385];
              } else {
                vErrors.push(err385);
              }
              errors++;
            }
          }
          var valid137 = _errs503 === errors;
          if (!valid137) {
            const err386 = { instancePath: instancePath + "/outputs", schemaPath: "#/properties/outputs/propertyNames", keyword: "propertyNames", params: { propertyName: key51 }, message: "property name must be valid", schema: schema31.properties.outputs.propertyNames, parentSchema: schema31.properties.outputs, data: data165 };
            if (vErrors === null) {
              vErrors = [err386];
            } else {
              vErrors.push(err386);
            }
            errors++;
          }
        }
        for (const key52 in data165) {
          let data166 = data165[key52];
          if ((!data166 || typeof data166 != "object") && typeof data166 !== "string" && !(typeof data166 == "number" && isFinite(data166)) && typeof data166 !== "boolean") {
            const err387 = { instancePath: instancePath + "/outputs/" + key52.replace(/~/g, "~0").replace(/\//g, "~1"), schemaPath: "#/properties/outputs/additionalProperties/type", keyword: "type", params: { type: schema31.properties.outputs.additionalProperties.type }, message: "must be string,number,boolean,array,object", schema: schema31.properties.outputs.additionalProperties.type, parentSchema: schema31.properties.outputs.additionalProperties, data: data166 };
            if (vErrors === null) {
              vErrors = [err387];
            } else {
              vErrors.push(err387);
            }
            errors++;
          }
          if (Array.isArray(data166)) {
            const len20 = data166.length;
            for (let i20 = 0; i20 < len20; i20++) {
              let data167 = data166[i20];
              if (typeof data167 !== "string" && !(typeof data167 == "number" && isFinite(data167)) && typeof data167 !== "boolean") {
                const err388 = { instancePath: instancePath + "/outputs/" + key52.replace(/~/g, "~0").replace(/\//g, "~1") + "/" + i20, schemaPath: "#/properties/outputs/additionalProperties/items/type", keyword: "type", params: { type: schema31.properties.outputs.additionalProperties.items.type }, message: "must be string,number,boolean", schema: schema31.properties.outputs.additionalProperties.items.type, parentSchema: schema31.properties.outputs.additionalProperties.items, data: data167 };
                if (vErrors === null) {
                  vErrors = [err388];
                } else {
                  vErrors.push(err388);
                }
                errors++;
              }
            }
          }
          if (data166 && typeof data166 == "object" && !Array.isArray(data166)) {
            for (const key53 in data166) {
              if (!(key53 === "value" || key53 === "sensitive" || key53 === "description")) {
                const err389 = { instancePath: instancePath + "/outputs/" + key52.replace(/~/g, "~0").replace(/\//g, "~1"), schemaPath: "#/properties/outputs/additionalProperties/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key53 }, message: "must NOT have additional properties", schema: false, parentSchema: schema31.properties.outputs.additionalProperties, data: data166 };
                if (vErrors === null) {
                  vErrors = [err389];
                } else {
                  vErrors.push(err389);
                }
                errors++;
              }
            }
            if (data166.value !== void 0) {
              let data168 = data166.value;
              if (typeof data168 !== "string" && !(typeof data168 == "number" && isFinite(data168)) && typeof data168 !== "boolean" && !Array.isArray(data168)) {
                const err390 = { instancePath: instancePath + "/outputs/" + key52.replace(/~/g, "~0").replace(/\//g, "~1") + "/value", schemaPath: "#/properties/outputs/additionalProperties/properties/value/type", keyword: "type", params: { type: schema31.properties.outputs.additionalProperties.properties.value.type }, message: "must be string,number,boolean,array", schema: schema31.properties.outputs.additionalProperties.properties.value.type, parentSchema: schema31.properties.outputs.additionalProperties.properties.value, data: data168 };
                if (vErrors === null) {
                  vErrors = [err390];
                } else {
                  vErrors.push(err390);
                }
                errors++;
              }
              if (Array.isArray(data168)) {
                const len21 = data168.length;
                for (let i21 = 0; i21 < len21; i21++) {
                  let data169 = data168[i21];
                  if (typeof data169 !== "string" && !(typeof data169 == "number" && isFinite(data169)) && typeof data169 !== "boolean") {
                    const err391 = { instancePath: instancePath + "/outputs/" + key52.replace(/~/g, "~0").replace(/\//g, "~1") + "/value/" + i21, schemaPath: "#/properties/outputs/additionalProperties/properties/value/items/type", keyword: "type", params: { type: schema31.properties.outputs.additionalProperties.properties.value.items.type }, message: "must be string,number,boolean", schema: schema31.properties.outputs.additionalProperties.properties.value.items.type, parentSchema: schema31.properties.outputs.additionalProperties.properties.value.items, data: data169 };
                    if (vErrors === null) {
                      vErrors = [err391];
                    } else {
                      vErrors.push(err391);
                    }
                    errors++;
                  }
                }
              }
            }
            if (data166.sensitive !== void 0) {
              let data170 = data166.sensitive;
              if (typeof data170 !== "boolean") {
                const err392 = { instancePath: instancePath + "/outputs/" + key52.replace(/~/g, "~0").replace(/\//g, "~1") + "/sensitive", schemaPath: "#/properties/outputs/additionalProperties/properties/sensitive/type", keyword: "type", params: { type: "boolean" }, message: "must be boolean", schema: schema31.properties.outputs.additionalProperties.properties.sensitive.type, parentSchema: schema31.properties.outputs.additionalProperties.properties.sensitive, data: data170 };
                if (vErrors === null) {
                  vErrors = [err392];
                } else {
                  vErrors.push(err392);
                }
                errors++;
              }
            }
            if (data166.description !== void 0) {
              let data171 = data166.description;
              if (typeof data171 !== "string") {
                const err393 = { instancePath: instancePath + "/outputs/" + key52.replace(/~/g, "~0").replace(/\//g, "~1") + "/description", schemaPath: "#/properties/outputs/additionalProperties/properties/description/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema31.properties.outputs.additionalProperties.properties.description.type, parentSchema: schema31.properties.outputs.additionalProperties.properties.description, data: data171 };
                if (vErrors === null) {
                  vErrors = [err393];
                } else {
                  vErrors.push(err393);
                }
                errors++;
              }
            }
          }
        }
      } else {
        const err394 = { instancePath: instancePath + "/outputs", schemaPath: "#/properties/outputs/type", keyword: "type", params: { type: "object" }, message: "must be object", schema: schema31.properties.outputs.type, parentSchema: schema31.properties.outputs, data: data165 };
        if (vErrors === null) {
          vErrors = [err394];
        } else {
          vErrors.push(err394);
        }
        errors++;
      }
    }
    if (data.checks !== void 0) {
      let data172 = data.checks;
      if (data172 && typeof data172 == "object" && !Array.isArray(data172)) {
        for (const key54 in data172) {
          const _errs520 = errors;
          if (typeof key54 === "string") {
            if (!pattern5.test(key54)) {
              const err395 = { instancePath: instancePath + "/checks", schemaPath: "#/properties/checks/propertyNames/pattern", keyword: "pattern", params: { pattern: "^(?:(?![\\u115f\\u1160\\u3164\\uffa0])[\\p{L}_])(?:(?![\\u115f\\u1160\\u3164\\uffa0])[\\p{L}\\p{N}_-])*$" }, message: 'must match pattern "^(?:(?![\\u115f\\u1160\\u3164\\uffa0])[\\p{L}_])(?:(?![\\u115f\\u1160\\u3164\\uffa0])[\\p{L}\\p{N}_-])*$"', schema: "^(?:(?![\\u115f\\u1160\\u3164\\uffa0])[\\p{L}_])(?:(?![\\u115f\\u1160\\u3164\\uffa0])[\\p{L}\\p{N}_-])*$", parentSchema: schema31.properties.checks.propertyNames, data: key54, propertyName: key54 };
              if (vErrors === null) {
                vErrors = [err395];
              } else {
                vErrors.push(err395);
              }
              errors++;
            }
          }
          var valid144 = _errs520 === errors;
          if (!valid144) {
            const err396 = { instancePath: instancePath + "/checks", schemaPath: "#/properties/checks/propertyNames", keyword: "propertyNames", params: { propertyName: key54 }, message: "property name must be valid", schema: schema31.properties.checks.propertyNames, parentSchema: schema31.properties.checks, data: data172 };
            if (vErrors === null) {
              vErrors = [err396];
            } else {
              vErrors.push(err396);
            }
            errors++;
          }
        }
        for (const key55 in data172) {
          let data173 = data172[key55];
          if (data173 && typeof data173 == "object" && !Array.isArray(data173)) {
            if (data173.condition === void 0) {
              const err397 = { instancePath: instancePath + "/checks/" + key55.replace(/~/g, "~0").replace(/\//g, "~1"), schemaPath: "#/properties/checks/additionalProperties/required", keyword: "required", params: { missingProperty: "condition" }, message: "must have required property 'condition'", schema: schema31.properties.checks.additionalProperties.required, parentSchema: schema31.properties.checks.additionalProperties, data: data173 };
              if (vErrors === null) {
                vErrors = [err397];
              } else {
                vErrors.push(err397);
              }
              errors++;
            }
            if (data173.message === void 0) {
              const err398 = { instancePath: instancePath + "/checks/" + key55.replace(/~/g, "~0").replace(/\//g, "~1"), schemaPath: "#/properties/checks/additionalProperties/required", keyword: "required", params: { missingProperty: "message" }, message: "must have required property 'message'", schema: schema31.properties.checks.additionalProperties.required, parentSchema: schema31.properties.checks.additionalProperties, data: data173 };
              if (vErrors === null) {
                vErrors = [err398];
              } else {
                vErrors.push(err398);
              }
              errors++;
            }
            for (const key56 in data173) {
              if (!(key56 === "condition" || key56 === "message" || key56 === "severity")) {
                const err399 = { instancePath: instancePath + "/checks/" + key55.replace(/~/g, "~0").replace(/\//g, "~1"), schemaPath: "#/properties/checks/additionalProperties/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key56 }, message: "must NOT have additional properties", schema: false, parentSchema: schema31.properties.checks.additionalProperties, data: data173 };
                if (vErrors === null) {
                  vErrors = [err399];
                } else {
                  vErrors.push(err399);
                }
                errors++;
              }
            }
            if (data173.condition !== void 0) {
              let data174 = data173.condition;
              if (typeof data174 === "string") {
                if (func2(data174) < 1) {
                  const err400 = { instancePath: instancePath + "/checks/" + key55.replace(/~/g, "~0").replace(/\//g, "~1") + "/condition", schemaPath: "#/properties/checks/additionalProperties/properties/condition/minLength", keyword: "minLength", params: { limit: 1 }, message: "must NOT have fewer than 1 characters", schema: 1, parentSchema: schema31.properties.checks.additionalProperties.properties.condition, data: data174 };
                  if (vErrors === null) {
                    vErrors = [err400];
                  } else {
                    vErrors.push(err400);
                  }
                  errors++;
                }
              } else {
                const err401 = { instancePath: instancePath + "/checks/" + key55.replace(/~/g, "~0").replace(/\//g, "~1") + "/condition", schemaPath: "#/properties/checks/additionalProperties/properties/condition/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema31.properties.checks.additionalProperties.properties.condition.type, parentSchema: schema31.properties.checks.additionalProperties.properties.condition, data: data174 };
                if (vErrors === null) {
                  vErrors = [err401];
                } else {
                  vErrors.push(err401);
                }
                errors++;
              }
            }
            if (data173.message !== void 0) {
              let data175 = data173.message;
              if (typeof data175 === "string") {
                if (func2(data175) < 1) {
                  const err402 = { instancePath: instancePath + "/checks/" + key55.replace(/~/g, "~0").replace(/\//g, "~1") + "/message", schemaPath: "#/properties/checks/additionalProperties/properties/message/minLength", keyword: "minLength", params: { limit: 1 }, message: "must NOT have fewer than 1 characters", schema: 1, parentSchema: schema31.properties.checks.additionalProperties.properties.message, data: data175 };
                  if (vErrors === null) {
                    vErrors = [err402];
                  } else {
                    vErrors.push(err402);
                  }
                  errors++;
                }
              } else {
                const err403 = { instancePath: instancePath + "/checks/" + key55.replace(/~/g, "~0").replace(/\//g, "~1") + "/message", schemaPath: "#/properties/checks/additionalProperties/properties/message/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema31.properties.checks.additionalProperties.properties.message.type, parentSchema: schema31.properties.checks.additionalProperties.properties.message, data: data175 };
                if (vErrors === null) {
                  vErrors = [err403];
                } else {
                  vErrors.push(err403);
                }
                errors++;
              }
            }
            if (data173.severity !== void 0) {
              let data176 = data173.severity;
              if (!(data176 === "warning" || data176 === "error")) {
                const err404 = { instancePath: instancePath + "/checks/" + key55.replace(/~/g, "~0").replace(/\//g, "~1") + "/severity", schemaPath: "#/properties/checks/additionalProperties/properties/severity/enum", keyword: "enum", params: { allowedValues: schema31.properties.checks.additionalProperties.properties.severity.enum }, message: "must be equal to one of the allowed values", schema: schema31.properties.checks.additionalProperties.properties.severity.enum, parentSchema: schema31.properties.checks.additionalProperties.properties.severity, data: data176 };
                if (vErrors === null) {
                  vErrors = [err404];
                } else {
                  vErrors.push(err404);
                }
                errors++;
              }
            }
          } else {
            const err405 = { instancePath: instancePath + "/checks/" + key55.replace(/~/g, "~0").replace(/\//g, "~1"), schemaPath: "#/properties/checks/additionalProperties/type", keyword: "type", params: { type: "object" }, message: "must be object", schema: schema31.properties.checks.additionalProperties.type, parentSchema: schema31.properties.checks.additionalProperties, data: data173 };
            if (vErrors === null) {
              vErrors = [err405];
            } else {
              vErrors.push(err405);
            }
            errors++;
          }
        }
      } else {
        const err406 = { instancePath: instancePath + "/checks", schemaPath: "#/properties/checks/type", keyword: "type", params: { type: "object" }, message: "must be object", schema: schema31.properties.checks.type, parentSchema: schema31.properties.checks, data: data172 };
        if (vErrors === null) {
          vErrors = [err406];
        } else {
          vErrors.push(err406);
        }
        errors++;
      }
    }
    if (data.limits !== void 0) {
      let data177 = data.limits;
      if (data177 && typeof data177 == "object" && !Array.isArray(data177)) {
        for (const key57 in data177) {
          if (!(key57 === "delete" || key57 === "replace" || key57 === "recreate" || key57 === "unsubscribe")) {
            const err407 = { instancePath: instancePath + "/limits", schemaPath: "#/properties/limits/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key57 }, message: "must NOT have additional properties", schema: false, parentSchema: schema31.properties.limits, data: data177 };
            if (vErrors === null) {
              vErrors = [err407];
            } else {
              vErrors.push(err407);
            }
            errors++;
          }
        }
        if (data177.delete !== void 0) {
          let data178 = data177.delete;
          if (!(typeof data178 == "number" && (!(data178 % 1) && !isNaN(data178)) && isFinite(data178)) && typeof data178 !== "string") {
            const err408 = { instancePath: instancePath + "/limits/delete", schemaPath: "#/properties/limits/properties/delete/type", keyword: "type", params: { type: schema31.properties.limits.properties.delete.type }, message: "must be integer,string", schema: schema31.properties.limits.properties.delete.type, parentSchema: schema31.properties.limits.properties.delete, data: data178 };
            if (vErrors === null) {
              vErrors = [err408];
            } else {
              vErrors.push(err408);
            }
            errors++;
          }
          if (typeof data178 == "number" && isFinite(data178)) {
            if (data178 < 0 || isNaN(data178)) {
              const err409 = { instancePath: instancePath + "/limits/delete", schemaPath: "#/properties/limits/properties/delete/minimum", keyword: "minimum", params: { comparison: ">=", limit: 0 }, message: "must be >= 0", schema: 0, parentSchema: schema31.properties.limits.properties.delete, data: data178 };
              if (vErrors === null) {
                vErrors = [err409];
              } else {
                vErrors.push(err409);
              }
              errors++;
            }
          }
          if (typeof data178 === "string") {
            if (!pattern20.test(data178)) {
              const err410 = { instancePath: instancePath + "/limits/delete", schemaPath: "#/properties/limits/properties/delete/pattern", keyword: "pattern", params: { pattern: "^(100|[1-9]?[0-9])%$" }, message: 'must match pattern "^(100|[1-9]?[0-9])%$"', schema: "^(100|[1-9]?[0-9])%$", parentSchema: schema31.properties.limits.properties.delete, data: data178 };
              if (vErrors === null) {
                vErrors = [err410];
              } else {
                vErrors.push(err410);
              }
              errors++;
            }
          }
        }
        if (data177.replace !== void 0) {
          let data179 = data177.replace;
          if (!(typeof data179 == "number" && (!(data179 % 1) && !isNaN(data179)) && isFinite(data179)) && typeof data179 !== "string") {
            const err411 = { instancePath: instancePath + "/limits/replace", schemaPath: "#/properties/limits/properties/replace/type", keyword: "type", params: { type: schema31.properties.limits.properties.replace.type }, message: "must be integer,string", schema: schema31.properties.limits.properties.replace.type, parentSchema: schema31.properties.limits.properties.replace, data: data179 };
            if (vErrors === null) {
              vErrors = [err411];
            } else {
              vErrors.push(err411);
            }
            errors++;
          }
          if (typeof data179 == "number" && isFinite(data179)) {
            if (data179 < 0 || isNaN(data179)) {
              const err412 = { instancePath: instancePath + "/limits/replace", schemaPath: "#/properties/limits/properties/replace/minimum", keyword: "minimum", params: { comparison: ">=", limit: 0 }, message: "must be >= 0", schema: 0, parentSchema: schema31.properties.limits.properties.replace, data: data179 };
              if (vErrors === null) {
                vErrors = [err412];
              } else {
                vErrors.push(err412);
              }
              errors++;
            }
          }
          if (typeof data179 === "string") {
            if (!pattern20.test(data179)) {
              const err413 = { instancePath: instancePath + "/limits/replace", schemaPath: "#/properties/limits/properties/replace/pattern", keyword: "pattern", params: { pattern: "^(100|[1-9]?[0-9])%$" }, message: 'must match pattern "^(100|[1-9]?[0-9])%$"', schema: "^(100|[1-9]?[0-9])%$", parentSchema: schema31.properties.limits.properties.replace, data: data179 };
              if (vErrors === null) {
                vErrors = [err413];
              } else {
                vErrors.push(err413);
              }
              errors++;
            }
          }
        }
        if (data177.recreate !== void 0) {
          let data180 = data177.recreate;
          if (!(typeof data180 == "number" && (!(data180 % 1) && !isNaN(data180)) && isFinite(data180)) && typeof data180 !== "string") {
            const err414 = { instancePath: instancePath + "/limits/recreate", schemaPath: "#/properties/limits/properties/recreate/type", keyword: "type", params: { type: schema31.properties.limits.properties.recreate.type }, message: "must be integer,string", schema: schema31.properties.limits.properties.recreate.type, parentSchema: schema31.properties.limits.properties.recreate, data: data180 };
            if (vErrors === null) {
              vErrors = [err414];
            } else {
              vErrors.push(err414);
            }
            errors++;
          }
          if (typeof data180 == "number" && isFinite(data180)) {
            if (data180 < 0 || isNaN(data180)) {
              const err415 = { instancePath: instancePath + "/limits/recreate", schemaPath: "#/properties/limits/properties/recreate/minimum", keyword: "minimum", params: { comparison: ">=", limit: 0 }, message: "must be >= 0", schema: 0, parentSchema: schema31.properties.limits.properties.recreate, data: data180 };
              if (vErrors === null) {
                vErrors = [err415];
              } else {
                vErrors.push(err415);
              }
              errors++;
            }
          }
          if (typeof data180 === "string") {
            if (!pattern20.test(data180)) {
              const err416 = { instancePath: instancePath + "/limits/recreate", schemaPath: "#/properties/limits/properties/recreate/pattern", keyword: "pattern", params: { pattern: "^(100|[1-9]?[0-9])%$" }, message: 'must match pattern "^(100|[1-9]?[0-9])%$"', schema: "^(100|[1-9]?[0-9])%$", parentSchema: schema31.properties.limits.properties.recreate, data: data180 };
              if (vErrors === null) {
                vErrors = [err416];
              } else {
                vErrors.push(err416);
              }
              errors++;
            }
          }
        }
        if (data177.unsubscribe !== void 0) {
          let data181 = data177.unsubscribe;
          if (!(typeof data181 == "number" && (!(data181 % 1) && !isNaN(data181)) && isFinite(data181)) && typeof data181 !== "string") {
            const err417 = { instancePath: instancePath + "/limits/unsubscribe", schemaPath: "#/properties/limits/properties/unsubscribe/type", keyword: "type", params: { type: schema31.properties.limits.properties.unsubscribe.type }, message: "must be integer,string", schema: schema31.properties.limits.properties.unsubscribe.type, parentSchema: schema31.properties.limits.properties.unsubscribe, data: data181 };
            if (vErrors === null) {
              vErrors = [err417];
            } else {
              vErrors.push(err417);
            }
            errors++;
          }
          if (typeof data181 == "number" && isFinite(data181)) {
            if (data181 < 0 || isNaN(data181)) {
              const err418 = { instancePath: instancePath + "/limits/unsubscribe", schemaPath: "#/properties/limits/properties/unsubscribe/minimum", keyword: "minimum", params: { comparison: ">=", limit: 0 }, message: "must be >= 0", schema: 0, parentSchema: schema31.properties.limits.properties.unsubscribe, data: data181 };
              if (vErrors === null) {
                vErrors = [err418];
              } else {
                vErrors.push(err418);
              }
              errors++;
            }
          }
          if (typeof data181 === "string") {
            if (!pattern20.test(data181)) {
              const err419 = { instancePath: instancePath + "/limits/unsubscribe", schemaPath: "#/properties/limits/properties/unsubscribe/pattern", keyword: "pattern", params: { pattern: "^(100|[1-9]?[0-9])%$" }, message: 'must match pattern "^(100|[1-9]?[0-9])%$"', schema: "^(100|[1-9]?[0-9])%$", parentSchema: schema31.properties.limits.properties.unsubscribe, data: data181 };
              if (vErrors === null) {
                vErrors = [err419];
              } else {
                vErrors.push(err419);
              }
              errors++;
            }
          }
        }
      } else {
        const err420 = { instancePath: instancePath + "/limits", schemaPath: "#/properties/limits/type", keyword: "type", params: { type: "object" }, message: "must be object", schema: schema31.properties.limits.type, parentSchema: schema31.properties.limits, data: data177 };
        if (vErrors === null) {
          vErrors = [err420];
        } else {
          vErrors.push(err420);
        }
        errors++;
      }
    }
  } else {
    const err421 = { instancePath, schemaPath: "#/type", keyword: "type", params: { type: "object" }, message: "must be object", schema: schema31.type, parentSchema: schema31, data };
    if (vErrors === null) {
      vErrors = [err421];
    } else {
      vErrors.push(err421);
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
