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
var schema31 = { "$schema": "https://json-schema.org/draft/2020-12/schema", "$id": "https://outreach-as-code.example/schemas/config.schema.json", "title": "outreach configuration", "type": "object", "additionalProperties": false, "required": ["version"], "properties": { "version": { "const": 1, "description": "Version of this format: 1." }, "service": { "type": "object", "additionalProperties": false, "description": "The service to manage.", "properties": { "base_url": { "type": "string", "description": "Base address of the service's API. OUTREACH_BASE_URL takes precedence over it.", "examples": ["https://api.example.com/api"] }, "rate_share": { "type": "string", "pattern": "^(100|[1-9][0-9]?)%$", "description": "Share of the service's rate limit to use: 1% to 100%. A smaller share leaves room for other users of the key.", "default": "100%", "examples": ["50%"] }, "api_key": { "$ref": "#/$defs/secret", "description": "Source of the API key.", "default": { "env": "OUTREACH_API_KEY" } } } }, "state": { "type": "object", "additionalProperties": false, "description": "Where to store the state.", "properties": { "backend": { "enum": ["local", "http"], "description": "local: A file. http: A server that speaks the protocol of Terraform's http backend, such as GitLab.", "default": "local" }, "path": { "type": "string", "minLength": 1, "description": "Path of the file, relative to the configuration.", "default": "outreach.state.json", "examples": ["outreach.${var.stage}.state.json"] }, "address": { "type": "string", "minLength": 1, "description": "Of the backend http. URL of the state: https, or http on this machine. Without it, TF_HTTP_ADDRESS sets it.", "examples": ["https://gitlab.example.com/api/v4/projects/7/terraform/state/production"] }, "lock_address": { "type": "string", "minLength": 1, "description": "Of the backend http. URL that locks the state. Required, unless lock is false. Without it, TF_HTTP_LOCK_ADDRESS sets it.", "examples": ["https://gitlab.example.com/api/v4/projects/7/terraform/state/production/lock"] }, "unlock_address": { "type": "string", "minLength": 1, "description": "Of the backend http. URL that unlocks the state. Default: lock_address. Without it, TF_HTTP_UNLOCK_ADDRESS sets it." }, "lock": { "type": "boolean", "description": "Of the backend http. Whether runs lock the state. Without a lock, two runs at once can create duplicates.", "default": true }, "update_method": { "type": "string", "minLength": 1, "description": "Of the backend http. HTTP method that writes the state. Without it, TF_HTTP_UPDATE_METHOD sets it.", "default": "POST" }, "lock_method": { "type": "string", "minLength": 1, "description": "Of the backend http. HTTP method that locks. GitLab: POST. Without it, TF_HTTP_LOCK_METHOD sets it.", "default": "LOCK" }, "unlock_method": { "type": "string", "minLength": 1, "description": "Of the backend http. HTTP method that unlocks. GitLab: DELETE. Without it, TF_HTTP_UNLOCK_METHOD sets it.", "default": "UNLOCK" }, "username": { "type": "string", "minLength": 1, "description": "Of the backend http. User name for basic authentication. Without it, TF_HTTP_USERNAME sets it." }, "password": { "$ref": "#/$defs/secret", "description": "Of the backend http. Password, or access token, for basic authentication. Without it, TF_HTTP_PASSWORD sets it." }, "headers": { "type": "object", "additionalProperties": { "anyOf": [{ "type": "string" }, { "$ref": "#/$defs/secret" }] }, "description": "Of the backend http. Headers to send with each request, as text or as a secret." }, "retry_max": { "type": "integer", "minimum": 0, "description": "Of the backend http. How often to repeat a request that got no answer, 429, or 5xx other than 501. Without it, TF_HTTP_RETRY_MAX sets it.", "default": 2 }, "retry_wait_min": { "type": "integer", "minimum": 0, "description": "Of the backend http. Seconds before the first repetition. The wait doubles each time. Without it, TF_HTTP_RETRY_WAIT_MIN sets it.", "default": 1 }, "retry_wait_max": { "type": "integer", "minimum": 0, "description": "Of the backend http. Longest wait between repetitions, in seconds. Without it, TF_HTTP_RETRY_WAIT_MAX sets it.", "default": 30 } } }, "variables": { "type": "object", "description": "Values that differ between runs. Set them with --var NAME=VALUE, --var-file, or OUTREACH_VAR_NAME.", "propertyNames": { "pattern": "^[\\p{L}_][\\p{L}\\p{N}_-]*$" }, "additionalProperties": { "type": ["object", "null"], "additionalProperties": false, "properties": { "default": { "type": ["string", "number", "boolean"], "description": "Value if none is set. Without a default, the variable is required." }, "allowed": { "type": "array", "minItems": 1, "items": { "type": ["string", "number", "boolean"] }, "description": "The only values that it may have, whether from its default or from outside.", "examples": [["staging", "production"]] }, "sensitive": { "type": "boolean", "default": false, "description": "Whether to mask values that contain it in output. The state still stores them." }, "description": { "type": "string", "description": "Purpose, for readers." } } } }, "data": { "type": "object", "additionalProperties": false, "description": "Objects of the service to look up. outreach only reads them.", "properties": { "campaign": { "type": "object", "description": "Campaigns to look up, by name.", "propertyNames": { "pattern": "^[\\p{L}_][\\p{L}\\p{N}_-]*$" }, "additionalProperties": { "type": "object", "additionalProperties": false, "description": "Reads one campaign by its id or its name. Set exactly one of them.", "required": [], "properties": { "id": { "description": "Id of the campaign.", "examples": ["cam_000001"], "type": "string" }, "name": { "description": "Exact name of the campaign.", "examples": ["Q3 launch"], "type": "string" }, "status": { "description": "Status, if several campaigns have the same name. A campaign can have several.", "anyOf": [{ "enum": ["running", "paused", "draft", "ended", "archived", "errors"] }, { "type": "string" }] } } } }, "campaigns": { "type": "object", "description": "Filters that find campaigns, by name. A block refers to one with campaigns.", "propertyNames": { "pattern": "^[\\p{L}_][\\p{L}\\p{N}_-]*$" }, "additionalProperties": { "type": "object", "additionalProperties": false, "description": "Reads the campaigns of the team that match every filter. Without a filter, it reads all campaigns.", "required": [], "properties": { "status": { "description": "Only campaigns with this status. A campaign can have several.", "anyOf": [{ "enum": ["running", "paused", "draft", "ended", "archived", "errors"] }, { "type": "string" }] }, "created_by": { "description": "Only campaigns that this user created.", "examples": ["usr_000001"], "type": "string" }, "labels": { "description": "Only campaigns with all of these labels.", "type": "array", "items": { "type": "string" } }, "name_regex": { "description": "Only campaigns whose name contains a match of this regular expression, in RE2's syntax as in Terraform.", "examples": ["^Q[34] "], "type": "string" }, "sort_order": { "description": "Order by creation time: `asc` (default) or `desc`.", "anyOf": [{ "enum": ["asc", "desc"] }, { "type": "string" }] } } } }, "schedules": { "type": "object", "description": "Schedules of campaigns to look up.", "propertyNames": { "pattern": "^[\\p{L}_][\\p{L}\\p{N}_-]*$" }, "additionalProperties": { "type": "object", "additionalProperties": false, "description": "Reads the schedules of a campaign: when it sends.", "required": [], "properties": { "campaign_id": { "description": "Id of the campaign.", "examples": ["cam_000001"], "type": "string" }, "campaign": { "type": "string", "description": "Name of a block under data.campaign, instead of the id." } } } }, "warmup_settings": { "type": "object", "description": "Warm-up settings of mailboxes to look up.", "propertyNames": { "pattern": "^[\\p{L}_][\\p{L}\\p{N}_-]*$" }, "additionalProperties": { "type": "object", "additionalProperties": false, "description": "Reads the warm-up settings of a mailbox. The service documents two sets of fields; a field that an answer omits is null.", "required": ["user_mailbox_id"], "properties": { "user_mailbox_id": { "description": "Id of the mailbox.", "examples": ["usm_000001"], "type": "string" } } } }, "webhooks": { "type": "object", "description": "Live webhooks, managed or not.", "propertyNames": { "pattern": "^[\\p{L}_][\\p{L}\\p{N}_-]*$" }, "additionalProperties": { "type": "object", "additionalProperties": false, "description": "Reads all live webhooks of the team, managed or not. The service never returns secrets.", "required": [], "properties": {} } } } }, "webhooks": { "type": "object", "description": "Webhooks to manage, by name.", "propertyNames": { "pattern": "^[\\p{L}_][\\p{L}\\p{N}_-]*$" }, "additionalProperties": { "type": "object", "additionalProperties": false, "description": "Manages a webhook. The service sends each event of a type, or all events, as an HTTP POST to a URL. It cannot update a webhook, so every change replaces it.", "required": ["target_url"], "properties": { "target_url": { "description": "URL that receives the events: https, without user info, at most 2,048 characters. http is valid only for loopback hosts.", "examples": ["https://crm.example.com/hooks/replies"], "type": "string" }, "type": { "description": "Event type to receive. Default: all events.", "examples": ["emailsReplied"], "anyOf": [{ "enum": ["contacted", "hooked", "attracted", "warmed", "interested", "notInterested", "emailsSent", "emailsOpened", "emailsClicked", "emailsReplied", "emailsBounced", "emailsFailed", "emailsInterested", "emailsNotInterested", "emailsUnsubscribed", "networkSent", "networkOpened", "networkReplied", "networkInterested", "networkNotInterested", "networkSendFailed", "networkVisitDone", "networkVisitFailed", "networkFollowDone", "networkFollowFailed", "networkFollowSkipped", "networkInviteDone", "networkInviteFailed", "networkInviteAccepted", "networkEndorseDone", "networkEndorseFailed", "networkEndorseSkipped", "networkVoiceNoteDone", "networkVoiceNoteFailed", "networkLikeLastPostDone", "networkLikeLastPostNoPost", "networkLikeLastPostFailed", "networkWithdrawInvitationDone", "networkWithdrawInvitationFailed", "chatMessageSent", "chatMessageDelivered", "chatMessageOpened", "chatReplied", "chatMessageFailed", "smsSent", "smsDelivered", "smsReplied", "smsFailed", "dialerCreated", "dialerEnded", "dialerDone", "dialerInterested", "dialerNotInterested", "callRecordingDone", "callTranscriptDone", "apiDone", "apiInterested", "apiNotInterested", "apiFailed", "manualInterested", "manualNotInterested", "annotated", "paused", "resumed", "stopped", "campaignComplete", "customDomainErrors", "connectionIssue", "sendLimitReached", "warmupPaused", "enrichmentDone", "enrichmentError", "inboxLabelUpdated", "signalRegistered", "deliverabilityAlertTriggered"] }, { "type": "string" }] }, "types": { "type": "array", "description": "Fan-out over event types: one webhook per type.", "items": { "anyOf": [{ "enum": ["contacted", "hooked", "attracted", "warmed", "interested", "notInterested", "emailsSent", "emailsOpened", "emailsClicked", "emailsReplied", "emailsBounced", "emailsFailed", "emailsInterested", "emailsNotInterested", "emailsUnsubscribed", "networkSent", "networkOpened", "networkReplied", "networkInterested", "networkNotInterested", "networkSendFailed", "networkVisitDone", "networkVisitFailed", "networkFollowDone", "networkFollowFailed", "networkFollowSkipped", "networkInviteDone", "networkInviteFailed", "networkInviteAccepted", "networkEndorseDone", "networkEndorseFailed", "networkEndorseSkipped", "networkVoiceNoteDone", "networkVoiceNoteFailed", "networkLikeLastPostDone", "networkLikeLastPostNoPost", "networkLikeLastPostFailed", "networkWithdrawInvitationDone", "networkWithdrawInvitationFailed", "chatMessageSent", "chatMessageDelivered", "chatMessageOpened", "chatReplied", "chatMessageFailed", "smsSent", "smsDelivered", "smsReplied", "smsFailed", "dialerCreated", "dialerEnded", "dialerDone", "dialerInterested", "dialerNotInterested", "callRecordingDone", "callTranscriptDone", "apiDone", "apiInterested", "apiNotInterested", "apiFailed", "manualInterested", "manualNotInterested", "annotated", "paused", "resumed", "stopped", "campaignComplete", "customDomainErrors", "connectionIssue", "sendLimitReached", "warmupPaused", "enrichmentDone", "enrichmentError", "inboxLabelUpdated", "signalRegistered", "deliverabilityAlertTriggered"] }, { "type": "string" }] }, "examples": [["emailsReplied"]] }, "campaign_id": { "description": "Campaign whose events to receive. Default: all campaigns.", "examples": ["cam_000001"], "type": "string" }, "campaign": { "type": "string", "description": "Name of a block under data.campaign, instead of the id." }, "campaigns": { "type": ["string", "array"], "description": "Fan-out over campaigns: the name of a block under data.campaigns, or a list of names under data.campaign.", "items": { "type": "string" } }, "is_first": { "description": "Whether to deliver only the first activity. Default: false.", "default": false, "anyOf": [{ "type": "boolean" }, { "type": "string", "pattern": "\\$\\{", "description": "Expression." }] }, "automation_id": { "description": "Identifier of your workflow automation. The service stores it for tracking.", "type": "string" }, "secret": { "$ref": "#/$defs/secret", "description": "Shared secret. The service adds it to each event, so the receiver can verify that the event is genuine. The service never returns it. A new secret replaces the webhook." }, "allow_duplicate": { "description": "Whether to allow a duplicate of this webhook. Default: false. A duplicate delivers every event twice, so creating one is otherwise an error.", "anyOf": [{ "type": "boolean" }, { "type": "string", "pattern": "\\$\\{", "description": "Expression." }] }, "rotation": { "description": "Order of a replace: `delete_first` (default; no event is delivered in between) or `create_first` (for a moment both deliver).", "default": "delete_first", "anyOf": [{ "enum": ["delete_first", "create_first"] }, { "type": "string" }] }, "protect": { "description": "Whether to block a delete, a destroy, and every replace except one for a new secret. If you remove the block, the last applied value still applies.", "default": false, "anyOf": [{ "type": "boolean" }, { "type": "string", "pattern": "\\$\\{", "description": "Expression." }] }, "allow_empty": { "type": "boolean", "default": false, "description": "Whether to allow an empty list or filter. Otherwise it is an error." }, "prune": { "type": "boolean", "default": false, "description": "Whether to delete the webhooks of a campaign that leaves the filter. Otherwise outreach keeps them, with a note." } } } }, "lead_unsubscriptions": { "type": "object", "description": "Leads to unsubscribe from campaigns, as named lists. The service cannot undo it.", "propertyNames": { "pattern": "^[\\p{L}_][\\p{L}\\p{N}_-]*$" }, "additionalProperties": { "type": "object", "additionalProperties": false, "description": "Unsubscribes a lead from a campaign. The service cannot undo it: if you remove the declaration, it is only forgotten.", "required": [], "properties": { "campaign_id": { "description": "Campaign to unsubscribe the lead from.", "examples": ["cam_000001"], "type": "string" }, "campaign": { "type": "string", "description": "Name of a block under data.campaign, instead of the id." }, "campaigns": { "type": ["string", "array"], "description": "Fan-out over campaigns: the name of a block under data.campaigns, or a list of names under data.campaign.", "items": { "type": "string" } }, "email": { "description": "Email address of the lead. Case does not matter.", "examples": ["ada@example.com"], "type": "string" }, "emails": { "type": "array", "description": "Email addresses of the leads. Case does not matter, and duplicates count once.", "items": { "type": "string" }, "examples": [["ada@example.com"]] }, "emails_from": { "type": "string", "minLength": 1, "description": "File with more addresses, in the configuration's folder or below it: one address per line, or a CSV with an email column. At most 50 MB.", "examples": ["suppressions/2026-11.csv"] }, "on_not_found": { "description": "Result if the campaign has no such lead. `warn` (default) records it as done with a warning, `ignore` without one. `error` fails. `retry` fails, and every apply tries again until the lead exists.", "default": "warn", "anyOf": [{ "enum": ["warn", "ignore", "error", "retry"] }, { "type": "string" }] }, "allow_empty": { "type": "boolean", "default": false, "description": "Whether to allow an empty list or filter. Otherwise it is an error." }, "prune": { "type": "boolean", "default": false, "description": "Whether to delete the webhooks of a campaign that leaves the filter. Otherwise outreach keeps them, with a note." } } } }, "imports": { "type": "array", "description": "Existing objects of the service to manage. An object that is already in the state stays as it is.", "items": { "type": "object", "additionalProperties": false, "required": ["to", "id"], "properties": { "to": { "type": "string", "minLength": 1, "description": "Address that declares the object.", "examples": ["outreach_webhook.crm-replies"] }, "id": { "type": "string", "minLength": 1, "description": "Id of the webhook, or CAMPAIGN_ID/EMAIL of an unsubscription that is already done.", "examples": ["hoo_000001"] } } } }, "moved": { "type": "array", "description": "Blocks and instances with a new address. The state keeps their objects, at the new address.", "items": { "type": "object", "additionalProperties": false, "required": ["from", "to"], "properties": { "from": { "type": "string", "minLength": 1, "description": "Old address of a block or an instance.", "examples": ["outreach_webhook.crm"] }, "to": { "type": "string", "minLength": 1, "description": "New address.", "examples": ["outreach_webhook.crm-replies"] } } } }, "removed": { "type": "array", "description": "Blocks that you no longer declare, and whether to delete their objects.", "items": { "type": "object", "additionalProperties": false, "required": ["from"], "properties": { "from": { "type": "string", "minLength": 1, "description": "Address of the block. It includes all instances.", "examples": ["outreach_webhook.audit"] }, "destroy": { "type": "boolean", "default": true, "description": "Whether to delete the objects in the service. If false, outreach only forgets them." } } } }, "outputs": { "type": "object", "description": "Values to show after an apply. The state stores them for outreach output.", "propertyNames": { "pattern": "^[\\p{L}_][\\p{L}\\p{N}_-]*$" }, "additionalProperties": { "type": ["string", "number", "boolean", "array", "object"], "description": "Expression, or a map with value, sensitive and description.", "items": { "type": ["string", "number", "boolean"] }, "additionalProperties": false, "properties": { "value": { "type": ["string", "number", "boolean", "array"], "items": { "type": ["string", "number", "boolean"] }, "description": "Value to show.", "examples": ["${data.outreach_campaign.q3.id}"] }, "sensitive": { "type": "boolean", "default": false, "description": "Whether to mask it in the list of all outputs. A value from a sensitive variable is always masked." }, "description": { "type": "string", "description": "Purpose, for readers." } }, "examples": ["${data.outreach_campaign.q3.id}"] } }, "limits": { "type": "object", "additionalProperties": false, "description": "Limits of one apply. A plan that exceeds a limit fails, and names the flag that allows it.", "properties": { "delete": { "type": ["integer", "string"], "minimum": 0, "pattern": "^(100|[1-9]?[0-9])%$", "description": "Maximum deletes, as a number or a percentage of the managed webhooks. Default: a plan fails if it deletes more than 3 and more than 30%.", "examples": ["30%"] }, "replace": { "type": ["integer", "string"], "minimum": 0, "pattern": "^(100|[1-9]?[0-9])%$", "description": "Maximum webhooks to replace for another reason than a new secret, as a number or a percentage. Default: a plan fails if it replaces more than 3 and more than 30%.", "examples": ["30%"] }, "recreate": { "type": ["integer", "string"], "minimum": 0, "pattern": "^(100|[1-9]?[0-9])%$", "description": "Maximum missing webhooks to create again, as a number or a percentage. Default: a plan fails if more than 3 and more than 20% are missing.", "examples": ["20%"] }, "unsubscribe": { "type": ["integer", "string"], "minimum": 0, "pattern": "^(100|[1-9]?[0-9])%$", "description": "Maximum unsubscriptions of a plan that nobody approves by typing yes: with --auto-approve, and of a saved plan.", "examples": [50], "default": 100 } } } }, "$defs": { "secret": { "description": "Source of a secret. The configuration never contains the secret.", "type": "object", "additionalProperties": false, "minProperties": 1, "not": { "anyOf": [{ "required": ["env", "file"] }, { "required": ["env", "command"] }, { "required": ["file", "command"] }] }, "properties": { "env": { "type": "string", "minLength": 1, "description": "Name of an environment variable, as in HOOK_SECRET or HOOK_SECRET_${var.stage}. Its value is used unchanged." }, "file": { "type": "string", "minLength": 1, "description": "File in the configuration's folder, or below it, as in secrets/${var.stage}/hook. One final newline is stripped." }, "command": { "type": "array", "minItems": 1, "items": { "type": "string" }, "description": "Program and its arguments. One final newline of its output is stripped." } } } } };
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
          if (!(data10 === "local" || data10 === "http")) {
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
      } else {
        const err81 = { instancePath: instancePath + "/state", schemaPath: "#/properties/state/type", keyword: "type", params: { type: "object" }, message: "must be object", schema: schema31.properties.state.type, parentSchema: schema31.properties.state, data: data9 };
        if (vErrors === null) {
          vErrors = [err81];
        } else {
          vErrors.push(err81);
        }
        errors++;
      }
    }
    if (data.variables !== void 0) {
      let data34 = data.variables;
      if (data34 && typeof data34 == "object" && !Array.isArray(data34)) {
        for (const key7 in data34) {
          const _errs101 = errors;
          if (typeof key7 === "string") {
            if (!pattern5.test(key7)) {
              const err82 = { instancePath: instancePath + "/variables", schemaPath: "#/properties/variables/propertyNames/pattern", keyword: "pattern", params: { pattern: "^[\\p{L}_][\\p{L}\\p{N}_-]*$" }, message: 'must match pattern "^[\\p{L}_][\\p{L}\\p{N}_-]*$"', schema: "^[\\p{L}_][\\p{L}\\p{N}_-]*$", parentSchema: schema31.properties.variables.propertyNames, data: key7, propertyName: key7 };
              if (vErrors === null) {
                vErrors = [err82];
              } else {
                vErrors.push(err82);
              }
              errors++;
            }
          }
          var valid23 = _errs101 === errors;
          if (!valid23) {
            const err83 = { instancePath: instancePath + "/variables", schemaPath: "#/properties/variables/propertyNames", keyword: "propertyNames", params: { propertyName: key7 }, message: "property name must be valid", schema: schema31.properties.variables.propertyNames, parentSchema: schema31.properties.variables, data: data34 };
            if (vErrors === null) {
              vErrors = [err83];
            } else {
              vErrors.push(err83);
            }
            errors++;
          }
        }
        for (const key8 in data34) {
          let data35 = data34[key8];
          if (!(data35 && typeof data35 == "object" && !Array.isArray(data35)) && data35 !== null) {
            const err84 = { instancePath: instancePath + "/variables/" + key8.replace(/~/g, "~0").replace(/\//g, "~1"), schemaPath: "#/properties/variables/additionalProperties/type", keyword: "type", params: { type: schema31.properties.variables.additionalProperties.type }, message: "must be object,null", schema: schema31.properties.variables.additionalProperties.type, parentSchema: schema31.properties.variables.additionalProperties, data: data35 };
            if (vErrors === null) {
              vErrors = [err84];
            } else {
              vErrors.push(err84);
            }
            errors++;
          }
          if (data35 && typeof data35 == "object" && !Array.isArray(data35)) {
            for (const key9 in data35) {
              if (!(key9 === "default" || key9 === "allowed" || key9 === "sensitive" || key9 === "description")) {
                const err85 = { instancePath: instancePath + "/variables/" + key8.replace(/~/g, "~0").replace(/\//g, "~1"), schemaPath: "#/properties/variables/additionalProperties/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key9 }, message: "must NOT have additional properties", schema: false, parentSchema: schema31.properties.variables.additionalProperties, data: data35 };
                if (vErrors === null) {
                  vErrors = [err85];
                } else {
                  vErrors.push(err85);
                }
                errors++;
              }
            }
            if (data35.default !== void 0) {
              let data36 = data35.default;
              if (typeof data36 !== "string" && !(typeof data36 == "number" && isFinite(data36)) && typeof data36 !== "boolean") {
                const err86 = { instancePath: instancePath + "/variables/" + key8.replace(/~/g, "~0").replace(/\//g, "~1") + "/default", schemaPath: "#/properties/variables/additionalProperties/properties/default/type", keyword: "type", params: { type: schema31.properties.variables.additionalProperties.properties.default.type }, message: "must be string,number,boolean", schema: schema31.properties.variables.additionalProperties.properties.default.type, parentSchema: schema31.properties.variables.additionalProperties.properties.default, data: data36 };
                if (vErrors === null) {
                  vErrors = [err86];
                } else {
                  vErrors.push(err86);
                }
                errors++;
              }
            }
            if (data35.allowed !== void 0) {
              let data37 = data35.allowed;
              if (Array.isArray(data37)) {
                if (data37.length < 1) {
                  const err87 = { instancePath: instancePath + "/variables/" + key8.replace(/~/g, "~0").replace(/\//g, "~1") + "/allowed", schemaPath: "#/properties/variables/additionalProperties/properties/allowed/minItems", keyword: "minItems", params: { limit: 1 }, message: "must NOT have fewer than 1 items", schema: 1, parentSchema: schema31.properties.variables.additionalProperties.properties.allowed, data: data37 };
                  if (vErrors === null) {
                    vErrors = [err87];
                  } else {
                    vErrors.push(err87);
                  }
                  errors++;
                }
                const len3 = data37.length;
                for (let i3 = 0; i3 < len3; i3++) {
                  let data38 = data37[i3];
                  if (typeof data38 !== "string" && !(typeof data38 == "number" && isFinite(data38)) && typeof data38 !== "boolean") {
                    const err88 = { instancePath: instancePath + "/variables/" + key8.replace(/~/g, "~0").replace(/\//g, "~1") + "/allowed/" + i3, schemaPath: "#/properties/variables/additionalProperties/properties/allowed/items/type", keyword: "type", params: { type: schema31.properties.variables.additionalProperties.properties.allowed.items.type }, message: "must be string,number,boolean", schema: schema31.properties.variables.additionalProperties.properties.allowed.items.type, parentSchema: schema31.properties.variables.additionalProperties.properties.allowed.items, data: data38 };
                    if (vErrors === null) {
                      vErrors = [err88];
                    } else {
                      vErrors.push(err88);
                    }
                    errors++;
                  }
                }
              } else {
                const err89 = { instancePath: instancePath + "/variables/" + key8.replace(/~/g, "~0").replace(/\//g, "~1") + "/allowed", schemaPath: "#/properties/variables/additionalProperties/properties/allowed/type", keyword: "type", params: { type: "array" }, message: "must be array", schema: schema31.properties.variables.additionalProperties.properties.allowed.type, parentSchema: schema31.properties.variables.additionalProperties.properties.allowed, data: data37 };
                if (vErrors === null) {
                  vErrors = [err89];
                } else {
                  vErrors.push(err89);
                }
                errors++;
              }
            }
            if (data35.sensitive !== void 0) {
              let data39 = data35.sensitive;
              if (typeof data39 !== "boolean") {
                const err90 = { instancePath: instancePath + "/variables/" + key8.replace(/~/g, "~0").replace(/\//g, "~1") + "/sensitive", schemaPath: "#/properties/variables/additionalProperties/properties/sensitive/type", keyword: "type", params: { type: "boolean" }, message: "must be boolean", schema: schema31.properties.variables.additionalProperties.properties.sensitive.type, parentSchema: schema31.properties.variables.additionalProperties.properties.sensitive, data: data39 };
                if (vErrors === null) {
                  vErrors = [err90];
                } else {
                  vErrors.push(err90);
                }
                errors++;
              }
            }
            if (data35.description !== void 0) {
              let data40 = data35.description;
              if (typeof data40 !== "string") {
                const err91 = { instancePath: instancePath + "/variables/" + key8.replace(/~/g, "~0").replace(/\//g, "~1") + "/description", schemaPath: "#/properties/variables/additionalProperties/properties/description/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema31.properties.variables.additionalProperties.properties.description.type, parentSchema: schema31.properties.variables.additionalProperties.properties.description, data: data40 };
                if (vErrors === null) {
                  vErrors = [err91];
                } else {
                  vErrors.push(err91);
                }
                errors++;
              }
            }
          }
        }
      } else {
        const err92 = { instancePath: instancePath + "/variables", schemaPath: "#/properties/variables/type", keyword: "type", params: { type: "object" }, message: "must be object", schema: schema31.properties.variables.type, parentSchema: schema31.properties.variables, data: data34 };
        if (vErrors === null) {
          vErrors = [err92];
        } else {
          vErrors.push(err92);
        }
        errors++;
      }
    }
    if (data.data !== void 0) {
      let data41 = data.data;
      if (data41 && typeof data41 == "object" && !Array.isArray(data41)) {
        for (const key10 in data41) {
          if (!(key10 === "campaign" || key10 === "campaigns" || key10 === "schedules" || key10 === "warmup_settings" || key10 === "webhooks")) {
            const err93 = { instancePath: instancePath + "/data", schemaPath: "#/properties/data/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key10 }, message: "must NOT have additional properties", schema: false, parentSchema: schema31.properties.data, data: data41 };
            if (vErrors === null) {
              vErrors = [err93];
            } else {
              vErrors.push(err93);
            }
            errors++;
          }
        }
        if (data41.campaign !== void 0) {
          let data42 = data41.campaign;
          if (data42 && typeof data42 == "object" && !Array.isArray(data42)) {
            for (const key11 in data42) {
              const _errs121 = errors;
              if (typeof key11 === "string") {
                if (!pattern5.test(key11)) {
                  const err94 = { instancePath: instancePath + "/data/campaign", schemaPath: "#/properties/data/properties/campaign/propertyNames/pattern", keyword: "pattern", params: { pattern: "^[\\p{L}_][\\p{L}\\p{N}_-]*$" }, message: 'must match pattern "^[\\p{L}_][\\p{L}\\p{N}_-]*$"', schema: "^[\\p{L}_][\\p{L}\\p{N}_-]*$", parentSchema: schema31.properties.data.properties.campaign.propertyNames, data: key11, propertyName: key11 };
                  if (vErrors === null) {
                    vErrors = [err94];
                  } else {
                    vErrors.push(err94);
                  }
                  errors++;
                }
              }
              var valid29 = _errs121 === errors;
              if (!valid29) {
                const err95 = { instancePath: instancePath + "/data/campaign", schemaPath: "#/properties/data/properties/campaign/propertyNames", keyword: "propertyNames", params: { propertyName: key11 }, message: "property name must be valid", schema: schema31.properties.data.properties.campaign.propertyNames, parentSchema: schema31.properties.data.properties.campaign, data: data42 };
                if (vErrors === null) {
                  vErrors = [err95];
                } else {
                  vErrors.push(err95);
                }
                errors++;
              }
            }
            for (const key12 in data42) {
              let data43 = data42[key12];
              if (data43 && typeof data43 == "object" && !Array.isArray(data43)) {
                for (const key13 in data43) {
                  if (!(key13 === "id" || key13 === "name" || key13 === "status")) {
                    const err96 = { instancePath: instancePath + "/data/campaign/" + key12.replace(/~/g, "~0").replace(/\//g, "~1"), schemaPath: "#/properties/data/properties/campaign/additionalProperties/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key13 }, message: "must NOT have additional properties", schema: false, parentSchema: schema31.properties.data.properties.campaign.additionalProperties, data: data43 };
                    if (vErrors === null) {
                      vErrors = [err96];
                    } else {
                      vErrors.push(err96);
                    }
                    errors++;
                  }
                }
                if (data43.id !== void 0) {
                  let data44 = data43.id;
                  if (typeof data44 !== "string") {
                    const err97 = { instancePath: instancePath + "/data/campaign/" + key12.replace(/~/g, "~0").replace(/\//g, "~1") + "/id", schemaPath: "#/properties/data/properties/campaign/additionalProperties/properties/id/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema31.properties.data.properties.campaign.additionalProperties.properties.id.type, parentSchema: schema31.properties.data.properties.campaign.additionalProperties.properties.id, data: data44 };
                    if (vErrors === null) {
                      vErrors = [err97];
                    } else {
                      vErrors.push(err97);
                    }
                    errors++;
                  }
                }
                if (data43.name !== void 0) {
                  let data45 = data43.name;
                  if (typeof data45 !== "string") {
                    const err98 = { instancePath: instancePath + "/data/campaign/" + key12.replace(/~/g, "~0").replace(/\//g, "~1") + "/name", schemaPath: "#/properties/data/properties/campaign/additionalProperties/properties/name/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema31.properties.data.properties.campaign.additionalProperties.properties.name.type, parentSchema: schema31.properties.data.properties.campaign.additionalProperties.properties.name, data: data45 };
                    if (vErrors === null) {
                      vErrors = [err98];
                    } else {
                      vErrors.push(err98);
                    }
                    errors++;
                  }
                }
                if (data43.status !== void 0) {
                  let data46 = data43.status;
                  const _errs131 = errors;
                  let valid32 = false;
                  const _errs132 = errors;
                  if (!(data46 === "running" || data46 === "paused" || data46 === "draft" || data46 === "ended" || data46 === "archived" || data46 === "errors")) {
                    const err99 = { instancePath: instancePath + "/data/campaign/" + key12.replace(/~/g, "~0").replace(/\//g, "~1") + "/status", schemaPath: "#/properties/data/properties/campaign/additionalProperties/properties/status/anyOf/0/enum", keyword: "enum", params: { allowedValues: schema31.properties.data.properties.campaign.additionalProperties.properties.status.anyOf[0].enum }, message: "must be equal to one of the allowed values", schema: schema31.properties.data.properties.campaign.additionalProperties.properties.status.anyOf[0].enum, parentSchema: schema31.properties.data.properties.campaign.additionalProperties.properties.status.anyOf[0], data: data46 };
                    if (vErrors === null) {
                      vErrors = [err99];
                    } else {
                      vErrors.push(err99);
                    }
                    errors++;
                  }
                  var _valid4 = _errs132 === errors;
                  valid32 = valid32 || _valid4;
                  const _errs133 = errors;
                  if (typeof data46 !== "string") {
                    const err100 = { instancePath: instancePath + "/data/campaign/" + key12.replace(/~/g, "~0").replace(/\//g, "~1") + "/status", schemaPath: "#/properties/data/properties/campaign/additionalProperties/properties/status/anyOf/1/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema31.properties.data.properties.campaign.additionalProperties.properties.status.anyOf[1].type, parentSchema: schema31.properties.data.properties.campaign.additionalProperties.properties.status.anyOf[1], data: data46 };
                    if (vErrors === null) {
                      vErrors = [err100];
                    } else {
                      vErrors.push(err100);
                    }
                    errors++;
                  }
                  var _valid4 = _errs133 === errors;
                  valid32 = valid32 || _valid4;
                  if (!valid32) {
                    const err101 = { instancePath: instancePath + "/data/campaign/" + key12.replace(/~/g, "~0").replace(/\//g, "~1") + "/status", schemaPath: "#/properties/data/properties/campaign/additionalProperties/properties/status/anyOf", keyword: "anyOf", params: {}, message: "must match a schema in anyOf", schema: schema31.properties.data.properties.campaign.additionalProperties.properties.status.anyOf, parentSchema: schema31.properties.data.properties.campaign.additionalProperties.properties.status, data: data46 };
                    if (vErrors === null) {
                      vErrors = [err101];
                    } else {
                      vErrors.push(err101);
                    }
                    errors++;
                  } else {
                    errors = _errs131;
                    if (vErrors !== null) {
                      if (_errs131) {
                        vErrors.length = _errs131;
                      } else {
                        vErrors = null;
                      }
                    }
                  }
                }
              } else {
                const err102 = { instancePath: instancePath + "/data/campaign/" + key12.replace(/~/g, "~0").replace(/\//g, "~1"), schemaPath: "#/properties/data/properties/campaign/additionalProperties/type", keyword: "type", params: { type: "object" }, message: "must be object", schema: schema31.properties.data.properties.campaign.additionalProperties.type, parentSchema: schema31.properties.data.properties.campaign.additionalProperties, data: data43 };
                if (vErrors === null) {
                  vErrors = [err102];
                } else {
                  vErrors.push(err102);
                }
                errors++;
              }
            }
          } else {
            const err103 = { instancePath: instancePath + "/data/campaign", schemaPath: "#/properties/data/properties/campaign/type", keyword: "type", params: { type: "object" }, message: "must be object", schema: schema31.properties.data.properties.campaign.type, parentSchema: schema31.properties.data.properties.campaign, data: data42 };
            if (vErrors === null) {
              vErrors = [err103];
            } else {
              vErrors.push(err103);
            }
            errors++;
          }
        }
        if (data41.campaigns !== void 0) {
          let data47 = data41.campaigns;
          if (data47 && typeof data47 == "object" && !Array.isArray(data47)) {
            for (const key14 in data47) {
              const _errs137 = errors;
              if (typeof key14 === "string") {
                if (!pattern5.test(key14)) {
                  const err104 = { instancePath: instancePath + "/data/campaigns", schemaPath: "#/properties/data/properties/campaigns/propertyNames/pattern", keyword: "pattern", params: { pattern: "^[\\p{L}_][\\p{L}\\p{N}_-]*$" }, message: 'must match pattern "^[\\p{L}_][\\p{L}\\p{N}_-]*$"', schema: "^[\\p{L}_][\\p{L}\\p{N}_-]*$", parentSchema: schema31.properties.data.properties.campaigns.propertyNames, data: key14, propertyName: key14 };
                  if (vErrors === null) {
                    vErrors = [err104];
                  } else {
                    vErrors.push(err104);
                  }
                  errors++;
                }
              }
              var valid33 = _errs137 === errors;
              if (!valid33) {
                const err105 = { instancePath: instancePath + "/data/campaigns", schemaPath: "#/properties/data/properties/campaigns/propertyNames", keyword: "propertyNames", params: { propertyName: key14 }, message: "property name must be valid", schema: schema31.properties.data.properties.campaigns.propertyNames, parentSchema: schema31.properties.data.properties.campaigns, data: data47 };
                if (vErrors === null) {
                  vErrors = [err105];
                } else {
                  vErrors.push(err105);
                }
                errors++;
              }
            }
            for (const key15 in data47) {
              let data48 = data47[key15];
              if (data48 && typeof data48 == "object" && !Array.isArray(data48)) {
                for (const key16 in data48) {
                  if (!(key16 === "status" || key16 === "created_by" || key16 === "labels" || key16 === "name_regex" || key16 === "sort_order")) {
                    const err106 = { instancePath: instancePath + "/data/campaigns/" + key15.replace(/~/g, "~0").replace(/\//g, "~1"), schemaPath: "#/properties/data/properties/campaigns/additionalProperties/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key16 }, message: "must NOT have additional properties", schema: false, parentSchema: schema31.properties.data.properties.campaigns.additionalProperties, data: data48 };
                    if (vErrors === null) {
                      vErrors = [err106];
                    } else {
                      vErrors.push(err106);
                    }
                    errors++;
                  }
                }
                if (data48.status !== void 0) {
                  let data49 = data48.status;
                  const _errs143 = errors;
                  let valid36 = false;
                  const _errs144 = errors;
                  if (!(data49 === "running" || data49 === "paused" || data49 === "draft" || data49 === "ended" || data49 === "archived" || data49 === "errors")) {
                    const err107 = { instancePath: instancePath + "/data/campaigns/" + key15.replace(/~/g, "~0").replace(/\//g, "~1") + "/status", schemaPath: "#/properties/data/properties/campaigns/additionalProperties/properties/status/anyOf/0/enum", keyword: "enum", params: { allowedValues: schema31.properties.data.properties.campaigns.additionalProperties.properties.status.anyOf[0].enum }, message: "must be equal to one of the allowed values", schema: schema31.properties.data.properties.campaigns.additionalProperties.properties.status.anyOf[0].enum, parentSchema: schema31.properties.data.properties.campaigns.additionalProperties.properties.status.anyOf[0], data: data49 };
                    if (vErrors === null) {
                      vErrors = [err107];
                    } else {
                      vErrors.push(err107);
                    }
                    errors++;
                  }
                  var _valid5 = _errs144 === errors;
                  valid36 = valid36 || _valid5;
                  const _errs145 = errors;
                  if (typeof data49 !== "string") {
                    const err108 = { instancePath: instancePath + "/data/campaigns/" + key15.replace(/~/g, "~0").replace(/\//g, "~1") + "/status", schemaPath: "#/properties/data/properties/campaigns/additionalProperties/properties/status/anyOf/1/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema31.properties.data.properties.campaigns.additionalProperties.properties.status.anyOf[1].type, parentSchema: schema31.properties.data.properties.campaigns.additionalProperties.properties.status.anyOf[1], data: data49 };
                    if (vErrors === null) {
                      vErrors = [err108];
                    } else {
                      vErrors.push(err108);
                    }
                    errors++;
                  }
                  var _valid5 = _errs145 === errors;
                  valid36 = valid36 || _valid5;
                  if (!valid36) {
                    const err109 = { instancePath: instancePath + "/data/campaigns/" + key15.replace(/~/g, "~0").replace(/\//g, "~1") + "/status", schemaPath: "#/properties/data/properties/campaigns/additionalProperties/properties/status/anyOf", keyword: "anyOf", params: {}, message: "must match a schema in anyOf", schema: schema31.properties.data.properties.campaigns.additionalProperties.properties.status.anyOf, parentSchema: schema31.properties.data.properties.campaigns.additionalProperties.properties.status, data: data49 };
                    if (vErrors === null) {
                      vErrors = [err109];
                    } else {
                      vErrors.push(err109);
                    }
                    errors++;
                  } else {
                    errors = _errs143;
                    if (vErrors !== null) {
                      if (_errs143) {
                        vErrors.length = _errs143;
                      } else {
                        vErrors = null;
                      }
                    }
                  }
                }
                if (data48.created_by !== void 0) {
                  let data50 = data48.created_by;
                  if (typeof data50 !== "string") {
                    const err110 = { instancePath: instancePath + "/data/campaigns/" + key15.replace(/~/g, "~0").replace(/\//g, "~1") + "/created_by", schemaPath: "#/properties/data/properties/campaigns/additionalProperties/properties/created_by/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema31.properties.data.properties.campaigns.additionalProperties.properties.created_by.type, parentSchema: schema31.properties.data.properties.campaigns.additionalProperties.properties.created_by, data: data50 };
                    if (vErrors === null) {
                      vErrors = [err110];
                    } else {
                      vErrors.push(err110);
                    }
                    errors++;
                  }
                }
                if (data48.labels !== void 0) {
                  let data51 = data48.labels;
                  if (Array.isArray(data51)) {
                    const len4 = data51.length;
                    for (let i4 = 0; i4 < len4; i4++) {
                      let data52 = data51[i4];
                      if (typeof data52 !== "string") {
                        const err111 = { instancePath: instancePath + "/data/campaigns/" + key15.replace(/~/g, "~0").replace(/\//g, "~1") + "/labels/" + i4, schemaPath: "#/properties/data/properties/campaigns/additionalProperties/properties/labels/items/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema31.properties.data.properties.campaigns.additionalProperties.properties.labels.items.type, parentSchema: schema31.properties.data.properties.campaigns.additionalProperties.properties.labels.items, data: data52 };
                        if (vErrors === null) {
                          vErrors = [err111];
                        } else {
                          vErrors.push(err111);
                        }
                        errors++;
                      }
                    }
                  } else {
                    const err112 = { instancePath: instancePath + "/data/campaigns/" + key15.replace(/~/g, "~0").replace(/\//g, "~1") + "/labels", schemaPath: "#/properties/data/properties/campaigns/additionalProperties/properties/labels/type", keyword: "type", params: { type: "array" }, message: "must be array", schema: schema31.properties.data.properties.campaigns.additionalProperties.properties.labels.type, parentSchema: schema31.properties.data.properties.campaigns.additionalProperties.properties.labels, data: data51 };
                    if (vErrors === null) {
                      vErrors = [err112];
                    } else {
                      vErrors.push(err112);
                    }
                    errors++;
                  }
                }
                if (data48.name_regex !== void 0) {
                  let data53 = data48.name_regex;
                  if (typeof data53 !== "string") {
                    const err113 = { instancePath: instancePath + "/data/campaigns/" + key15.replace(/~/g, "~0").replace(/\//g, "~1") + "/name_regex", schemaPath: "#/properties/data/properties/campaigns/additionalProperties/properties/name_regex/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema31.properties.data.properties.campaigns.additionalProperties.properties.name_regex.type, parentSchema: schema31.properties.data.properties.campaigns.additionalProperties.properties.name_regex, data: data53 };
                    if (vErrors === null) {
                      vErrors = [err113];
                    } else {
                      vErrors.push(err113);
                    }
                    errors++;
                  }
                }
                if (data48.sort_order !== void 0) {
                  let data54 = data48.sort_order;
                  const _errs156 = errors;
                  let valid39 = false;
                  const _errs157 = errors;
                  if (!(data54 === "asc" || data54 === "desc")) {
                    const err114 = { instancePath: instancePath + "/data/campaigns/" + key15.replace(/~/g, "~0").replace(/\//g, "~1") + "/sort_order", schemaPath: "#/properties/data/properties/campaigns/additionalProperties/properties/sort_order/anyOf/0/enum", keyword: "enum", params: { allowedValues: schema31.properties.data.properties.campaigns.additionalProperties.properties.sort_order.anyOf[0].enum }, message: "must be equal to one of the allowed values", schema: schema31.properties.data.properties.campaigns.additionalProperties.properties.sort_order.anyOf[0].enum, parentSchema: schema31.properties.data.properties.campaigns.additionalProperties.properties.sort_order.anyOf[0], data: data54 };
                    if (vErrors === null) {
                      vErrors = [err114];
                    } else {
                      vErrors.push(err114);
                    }
                    errors++;
                  }
                  var _valid6 = _errs157 === errors;
                  valid39 = valid39 || _valid6;
                  const _errs158 = errors;
                  if (typeof data54 !== "string") {
                    const err115 = { instancePath: instancePath + "/data/campaigns/" + key15.replace(/~/g, "~0").replace(/\//g, "~1") + "/sort_order", schemaPath: "#/properties/data/properties/campaigns/additionalProperties/properties/sort_order/anyOf/1/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema31.properties.data.properties.campaigns.additionalProperties.properties.sort_order.anyOf[1].type, parentSchema: schema31.properties.data.properties.campaigns.additionalProperties.properties.sort_order.anyOf[1], data: data54 };
                    if (vErrors === null) {
                      vErrors = [err115];
                    } else {
                      vErrors.push(err115);
                    }
                    errors++;
                  }
                  var _valid6 = _errs158 === errors;
                  valid39 = valid39 || _valid6;
                  if (!valid39) {
                    const err116 = { instancePath: instancePath + "/data/campaigns/" + key15.replace(/~/g, "~0").replace(/\//g, "~1") + "/sort_order", schemaPath: "#/properties/data/properties/campaigns/additionalProperties/properties/sort_order/anyOf", keyword: "anyOf", params: {}, message: "must match a schema in anyOf", schema: schema31.properties.data.properties.campaigns.additionalProperties.properties.sort_order.anyOf, parentSchema: schema31.properties.data.properties.campaigns.additionalProperties.properties.sort_order, data: data54 };
                    if (vErrors === null) {
                      vErrors = [err116];
                    } else {
                      vErrors.push(err116);
                    }
                    errors++;
                  } else {
                    errors = _errs156;
                    if (vErrors !== null) {
                      if (_errs156) {
                        vErrors.length = _errs156;
                      } else {
                        vErrors = null;
                      }
                    }
                  }
                }
              } else {
                const err117 = { instancePath: instancePath + "/data/campaigns/" + key15.replace(/~/g, "~0").replace(/\//g, "~1"), schemaPath: "#/properties/data/properties/campaigns/additionalProperties/type", keyword: "type", params: { type: "object" }, message: "must be object", schema: schema31.properties.data.properties.campaigns.additionalProperties.type, parentSchema: schema31.properties.data.properties.campaigns.additionalProperties, data: data48 };
                if (vErrors === null) {
                  vErrors = [err117];
                } else {
                  vErrors.push(err117);
                }
                errors++;
              }
            }
          } else {
            const err118 = { instancePath: instancePath + "/data/campaigns", schemaPath: "#/properties/data/properties/campaigns/type", keyword: "type", params: { type: "object" }, message: "must be object", schema: schema31.properties.data.properties.campaigns.type, parentSchema: schema31.properties.data.properties.campaigns, data: data47 };
            if (vErrors === null) {
              vErrors = [err118];
            } else {
              vErrors.push(err118);
            }
            errors++;
          }
        }
        if (data41.schedules !== void 0) {
          let data55 = data41.schedules;
          if (data55 && typeof data55 == "object" && !Array.isArray(data55)) {
            for (const key17 in data55) {
              const _errs162 = errors;
              if (typeof key17 === "string") {
                if (!pattern5.test(key17)) {
                  const err119 = { instancePath: instancePath + "/data/schedules", schemaPath: "#/properties/data/properties/schedules/propertyNames/pattern", keyword: "pattern", params: { pattern: "^[\\p{L}_][\\p{L}\\p{N}_-]*$" }, message: 'must match pattern "^[\\p{L}_][\\p{L}\\p{N}_-]*$"', schema: "^[\\p{L}_][\\p{L}\\p{N}_-]*$", parentSchema: schema31.properties.data.properties.schedules.propertyNames, data: key17, propertyName: key17 };
                  if (vErrors === null) {
                    vErrors = [err119];
                  } else {
                    vErrors.push(err119);
                  }
                  errors++;
                }
              }
              var valid40 = _errs162 === errors;
              if (!valid40) {
                const err120 = { instancePath: instancePath + "/data/schedules", schemaPath: "#/properties/data/properties/schedules/propertyNames", keyword: "propertyNames", params: { propertyName: key17 }, message: "property name must be valid", schema: schema31.properties.data.properties.schedules.propertyNames, parentSchema: schema31.properties.data.properties.schedules, data: data55 };
                if (vErrors === null) {
                  vErrors = [err120];
                } else {
                  vErrors.push(err120);
                }
                errors++;
              }
            }
            for (const key18 in data55) {
              let data56 = data55[key18];
              if (data56 && typeof data56 == "object" && !Array.isArray(data56)) {
                for (const key19 in data56) {
                  if (!(key19 === "campaign_id" || key19 === "campaign")) {
                    const err121 = { instancePath: instancePath + "/data/schedules/" + key18.replace(/~/g, "~0").replace(/\//g, "~1"), schemaPath: "#/properties/data/properties/schedules/additionalProperties/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key19 }, message: "must NOT have additional properties", schema: false, parentSchema: schema31.properties.data.properties.schedules.additionalProperties, data: data56 };
                    if (vErrors === null) {
                      vErrors = [err121];
                    } else {
                      vErrors.push(err121);
                    }
                    errors++;
                  }
                }
                if (data56.campaign_id !== void 0) {
                  let data57 = data56.campaign_id;
                  if (typeof data57 !== "string") {
                    const err122 = { instancePath: instancePath + "/data/schedules/" + key18.replace(/~/g, "~0").replace(/\//g, "~1") + "/campaign_id", schemaPath: "#/properties/data/properties/schedules/additionalProperties/properties/campaign_id/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema31.properties.data.properties.schedules.additionalProperties.properties.campaign_id.type, parentSchema: schema31.properties.data.properties.schedules.additionalProperties.properties.campaign_id, data: data57 };
                    if (vErrors === null) {
                      vErrors = [err122];
                    } else {
                      vErrors.push(err122);
                    }
                    errors++;
                  }
                }
                if (data56.campaign !== void 0) {
                  let data58 = data56.campaign;
                  if (typeof data58 !== "string") {
                    const err123 = { instancePath: instancePath + "/data/schedules/" + key18.replace(/~/g, "~0").replace(/\//g, "~1") + "/campaign", schemaPath: "#/properties/data/properties/schedules/additionalProperties/properties/campaign/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema31.properties.data.properties.schedules.additionalProperties.properties.campaign.type, parentSchema: schema31.properties.data.properties.schedules.additionalProperties.properties.campaign, data: data58 };
                    if (vErrors === null) {
                      vErrors = [err123];
                    } else {
                      vErrors.push(err123);
                    }
                    errors++;
                  }
                }
              } else {
                const err124 = { instancePath: instancePath + "/data/schedules/" + key18.replace(/~/g, "~0").replace(/\//g, "~1"), schemaPath: "#/properties/data/properties/schedules/additionalProperties/type", keyword: "type", params: { type: "object" }, message: "must be object", schema: schema31.properties.data.properties.schedules.additionalProperties.type, parentSchema: schema31.properties.data.properties.schedules.additionalProperties, data: data56 };
                if (vErrors === null) {
                  vErrors = [err124];
                } else {
                  vErrors.push(err124);
                }
                errors++;
              }
            }
          } else {
            const err125 = { instancePath: instancePath + "/data/schedules", schemaPath: "#/properties/data/properties/schedules/type", keyword: "type", params: { type: "object" }, message: "must be object", schema: schema31.properties.data.properties.schedules.type, parentSchema: schema31.properties.data.properties.schedules, data: data55 };
            if (vErrors === null) {
              vErrors = [err125];
            } else {
              vErrors.push(err125);
            }
            errors++;
          }
        }
        if (data41.warmup_settings !== void 0) {
          let data59 = data41.warmup_settings;
          if (data59 && typeof data59 == "object" && !Array.isArray(data59)) {
            for (const key20 in data59) {
              const _errs173 = errors;
              if (typeof key20 === "string") {
                if (!pattern5.test(key20)) {
                  const err126 = { instancePath: instancePath + "/data/warmup_settings", schemaPath: "#/properties/data/properties/warmup_settings/propertyNames/pattern", keyword: "pattern", params: { pattern: "^[\\p{L}_][\\p{L}\\p{N}_-]*$" }, message: 'must match pattern "^[\\p{L}_][\\p{L}\\p{N}_-]*$"', schema: "^[\\p{L}_][\\p{L}\\p{N}_-]*$", parentSchema: schema31.properties.data.properties.warmup_settings.propertyNames, data: key20, propertyName: key20 };
                  if (vErrors === null) {
                    vErrors = [err126];
                  } else {
                    vErrors.push(err126);
                  }
                  errors++;
                }
              }
              var valid43 = _errs173 === errors;
              if (!valid43) {
                const err127 = { instancePath: instancePath + "/data/warmup_settings", schemaPath: "#/properties/data/properties/warmup_settings/propertyNames", keyword: "propertyNames", params: { propertyName: key20 }, message: "property name must be valid", schema: schema31.properties.data.properties.warmup_settings.propertyNames, parentSchema: schema31.properties.data.properties.warmup_settings, data: data59 };
                if (vErrors === null) {
                  vErrors = [err127];
                } else {
                  vErrors.push(err127);
                }
                errors++;
              }
            }
            for (const key21 in data59) {
              let data60 = data59[key21];
              if (data60 && typeof data60 == "object" && !Array.isArray(data60)) {
                if (data60.user_mailbox_id === void 0) {
                  const err128 = { instancePath: instancePath + "/data/warmup_settings/" + key21.replace(/~/g, "~0").replace(/\//g, "~1"), schemaPath: "#/properties/data/properties/warmup_settings/additionalProperties/required", keyword: "required", params: { missingProperty: "user_mailbox_id" }, message: "must have required property 'user_mailbox_id'", schema: schema31.properties.data.properties.warmup_settings.additionalProperties.required, parentSchema: schema31.properties.data.properties.warmup_settings.additionalProperties, data: data60 };
                  if (vErrors === null) {
                    vErrors = [err128];
                  } else {
                    vErrors.push(err128);
                  }
                  errors++;
                }
                for (const key22 in data60) {
                  if (!(key22 === "user_mailbox_id")) {
                    const err129 = { instancePath: instancePath + "/data/warmup_settings/" + key21.replace(/~/g, "~0").replace(/\//g, "~1"), schemaPath: "#/properties/data/properties/warmup_settings/additionalProperties/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key22 }, message: "must NOT have additional properties", schema: false, parentSchema: schema31.properties.data.properties.warmup_settings.additionalProperties, data: data60 };
                    if (vErrors === null) {
                      vErrors = [err129];
                    } else {
                      vErrors.push(err129);
                    }
                    errors++;
                  }
                }
                if (data60.user_mailbox_id !== void 0) {
                  let data61 = data60.user_mailbox_id;
                  if (typeof data61 !== "string") {
                    const err130 = { instancePath: instancePath + "/data/warmup_settings/" + key21.replace(/~/g, "~0").replace(/\//g, "~1") + "/user_mailbox_id", schemaPath: "#/properties/data/properties/warmup_settings/additionalProperties/properties/user_mailbox_id/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema31.properties.data.properties.warmup_settings.additionalProperties.properties.user_mailbox_id.type, parentSchema: schema31.properties.data.properties.warmup_settings.additionalProperties.properties.user_mailbox_id, data: data61 };
                    if (vErrors === null) {
                      vErrors = [err130];
                    } else {
                      vErrors.push(err130);
                    }
                    errors++;
                  }
                }
              } else {
                const err131 = { instancePath: instancePath + "/data/warmup_settings/" + key21.replace(/~/g, "~0").replace(/\//g, "~1"), schemaPath: "#/properties/data/properties/warmup_settings/additionalProperties/type", keyword: "type", params: { type: "object" }, message: "must be object", schema: schema31.properties.data.properties.warmup_settings.additionalProperties.type, parentSchema: schema31.properties.data.properties.warmup_settings.additionalProperties, data: data60 };
                if (vErrors === null) {
                  vErrors = [err131];
                } else {
                  vErrors.push(err131);
                }
                errors++;
              }
            }
          } else {
            const err132 = { instancePath: instancePath + "/data/warmup_settings", schemaPath: "#/properties/data/properties/warmup_settings/type", keyword: "type", params: { type: "object" }, message: "must be object", schema: schema31.properties.data.properties.warmup_settings.type, parentSchema: schema31.properties.data.properties.warmup_settings, data: data59 };
            if (vErrors === null) {
              vErrors = [err132];
            } else {
              vErrors.push(err132);
            }
            errors++;
          }
        }
        if (data41.webhooks !== void 0) {
          let data62 = data41.webhooks;
          if (data62 && typeof data62 == "object" && !Array.isArray(data62)) {
            for (const key23 in data62) {
              const _errs182 = errors;
              if (typeof key23 === "string") {
                if (!pattern5.test(key23)) {
                  const err133 = { instancePath: instancePath + "/data/webhooks", schemaPath: "#/properties/data/properties/webhooks/propertyNames/pattern", keyword: "pattern", params: { pattern: "^[\\p{L}_][\\p{L}\\p{N}_-]*$" }, message: 'must match pattern "^[\\p{L}_][\\p{L}\\p{N}_-]*$"', schema: "^[\\p{L}_][\\p{L}\\p{N}_-]*$", parentSchema: schema31.properties.data.properties.webhooks.propertyNames, data: key23, propertyName: key23 };
                  if (vErrors === null) {
                    vErrors = [err133];
                  } else {
                    vErrors.push(err133);
                  }
                  errors++;
                }
              }
              var valid46 = _errs182 === errors;
              if (!valid46) {
                const err134 = { instancePath: instancePath + "/data/webhooks", schemaPath: "#/properties/data/properties/webhooks/propertyNames", keyword: "propertyNames", params: { propertyName: key23 }, message: "property name must be valid", schema: schema31.properties.data.properties.webhooks.propertyNames, parentSchema: schema31.properties.data.properties.webhooks, data: data62 };
                if (vErrors === null) {
                  vErrors = [err134];
                } else {
                  vErrors.push(err134);
                }
                errors++;
              }
            }
            for (const key24 in data62) {
              let data63 = data62[key24];
              if (data63 && typeof data63 == "object" && !Array.isArray(data63)) {
                for (const key25 in data63) {
                  const err135 = { instancePath: instancePath + "/data/webhooks/" + key24.replace(/~/g, "~0").replace(/\//g, "~1"), schemaPath: "#/properties/data/properties/webhooks/additionalProperties/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key25 }, message: "must NOT have additional properties", schema: false, parentSchema: schema31.properties.data.properties.webhooks.additionalProperties, data: data63 };
                  if (vErrors === null) {
                    vErrors = [err135];
                  } else {
                    vErrors.push(err135);
                  }
                  errors++;
                }
              } else {
                const err136 = { instancePath: instancePath + "/data/webhooks/" + key24.replace(/~/g, "~0").replace(/\//g, "~1"), schemaPath: "#/properties/data/properties/webhooks/additionalProperties/type", keyword: "type", params: { type: "object" }, message: "must be object", schema: schema31.properties.data.properties.webhooks.additionalProperties.type, parentSchema: schema31.properties.data.properties.webhooks.additionalProperties, data: data63 };
                if (vErrors === null) {
                  vErrors = [err136];
                } else {
                  vErrors.push(err136);
                }
                errors++;
              }
            }
          } else {
            const err137 = { instancePath: instancePath + "/data/webhooks", schemaPath: "#/properties/data/properties/webhooks/type", keyword: "type", params: { type: "object" }, message: "must be object", schema: schema31.properties.data.properties.webhooks.type, parentSchema: schema31.properties.data.properties.webhooks, data: data62 };
            if (vErrors === null) {
              vErrors = [err137];
            } else {
              vErrors.push(err137);
            }
            errors++;
          }
        }
      } else {
        const err138 = { instancePath: instancePath + "/data", schemaPath: "#/properties/data/type", keyword: "type", params: { type: "object" }, message: "must be object", schema: schema31.properties.data.type, parentSchema: schema31.properties.data, data: data41 };
        if (vErrors === null) {
          vErrors = [err138];
        } else {
          vErrors.push(err138);
        }
        errors++;
      }
    }
    if (data.webhooks !== void 0) {
      let data64 = data.webhooks;
      if (data64 && typeof data64 == "object" && !Array.isArray(data64)) {
        for (const key26 in data64) {
          const _errs189 = errors;
          if (typeof key26 === "string") {
            if (!pattern5.test(key26)) {
              const err139 = { instancePath: instancePath + "/webhooks", schemaPath: "#/properties/webhooks/propertyNames/pattern", keyword: "pattern", params: { pattern: "^[\\p{L}_][\\p{L}\\p{N}_-]*$" }, message: 'must match pattern "^[\\p{L}_][\\p{L}\\p{N}_-]*$"', schema: "^[\\p{L}_][\\p{L}\\p{N}_-]*$", parentSchema: schema31.properties.webhooks.propertyNames, data: key26, propertyName: key26 };
              if (vErrors === null) {
                vErrors = [err139];
              } else {
                vErrors.push(err139);
              }
              errors++;
            }
          }
          var valid48 = _errs189 === errors;
          if (!valid48) {
            const err140 = { instancePath: instancePath + "/webhooks", schemaPath: "#/properties/webhooks/propertyNames", keyword: "propertyNames", params: { propertyName: key26 }, message: "property name must be valid", schema: schema31.properties.webhooks.propertyNames, parentSchema: schema31.properties.webhooks, data: data64 };
            if (vErrors === null) {
              vErrors = [err140];
            } else {
              vErrors.push(err140);
            }
            errors++;
          }
        }
        for (const key27 in data64) {
          let data65 = data64[key27];
          if (data65 && typeof data65 == "object" && !Array.isArray(data65)) {
            if (data65.target_url === void 0) {
              const err141 = { instancePath: instancePath + "/webhooks/" + key27.replace(/~/g, "~0").replace(/\//g, "~1"), schemaPath: "#/properties/webhooks/additionalProperties/required", keyword: "required", params: { missingProperty: "target_url" }, message: "must have required property 'target_url'", schema: schema31.properties.webhooks.additionalProperties.required, parentSchema: schema31.properties.webhooks.additionalProperties, data: data65 };
              if (vErrors === null) {
                vErrors = [err141];
              } else {
                vErrors.push(err141);
              }
              errors++;
            }
            for (const key28 in data65) {
              if (!func1.call(schema31.properties.webhooks.additionalProperties.properties, key28)) {
                const err142 = { instancePath: instancePath + "/webhooks/" + key27.replace(/~/g, "~0").replace(/\//g, "~1"), schemaPath: "#/properties/webhooks/additionalProperties/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key28 }, message: "must NOT have additional properties", schema: false, parentSchema: schema31.properties.webhooks.additionalProperties, data: data65 };
                if (vErrors === null) {
                  vErrors = [err142];
                } else {
                  vErrors.push(err142);
                }
                errors++;
              }
            }
            if (data65.target_url !== void 0) {
              let data66 = data65.target_url;
              if (typeof data66 !== "string") {
                const err143 = { instancePath: instancePath + "/webhooks/" + key27.replace(/~/g, "~0").replace(/\//g, "~1") + "/target_url", schemaPath: "#/properties/webhooks/additionalProperties/properties/target_url/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema31.properties.webhooks.additionalProperties.properties.target_url.type, parentSchema: schema31.properties.webhooks.additionalProperties.properties.target_url, data: data66 };
                if (vErrors === null) {
                  vErrors = [err143];
                } else {
                  vErrors.push(err143);
                }
                errors++;
              }
            }
            if (data65.type !== void 0) {
              let data67 = data65.type;
              const _errs197 = errors;
              let valid51 = false;
              const _errs198 = errors;
              if (!(data67 === "contacted" || data67 === "hooked" || data67 === "attracted" || data67 === "warmed" || data67 === "interested" || data67 === "notInterested" || data67 === "emailsSent" || data67 === "emailsOpened" || data67 === "emailsClicked" || data67 === "emailsReplied" || data67 === "emailsBounced" || data67 === "emailsFailed" || data67 === "emailsInterested" || data67 === "emailsNotInterested" || data67 === "emailsUnsubscribed" || data67 === "networkSent" || data67 === "networkOpened" || data67 === "networkReplied" || data67 === "networkInterested" || data67 === "networkNotInterested" || data67 === "networkSendFailed" || data67 === "networkVisitDone" || data67 === "networkVisitFailed" || data67 === "networkFollowDone" || data67 === "networkFollowFailed" || data67 === "networkFollowSkipped" || data67 === "networkInviteDone" || data67 === "networkInviteFailed" || data67 === "networkInviteAccepted" || data67 === "networkEndorseDone" || data67 === "networkEndorseFailed" || data67 === "networkEndorseSkipped" || data67 === "networkVoiceNoteDone" || data67 === "networkVoiceNoteFailed" || data67 === "networkLikeLastPostDone" || data67 === "networkLikeLastPostNoPost" || data67 === "networkLikeLastPostFailed" || data67 === "networkWithdrawInvitationDone" || data67 === "networkWithdrawInvitationFailed" || data67 === "chatMessageSent" || data67 === "chatMessageDelivered" || data67 === "chatMessageOpened" || data67 === "chatReplied" || data67 === "chatMessageFailed" || data67 === "smsSent" || data67 === "smsDelivered" || data67 === "smsReplied" || data67 === "smsFailed" || data67 === "dialerCreated" || data67 === "dialerEnded" || data67 === "dialerDone" || data67 === "dialerInterested" || data67 === "dialerNotInterested" || data67 === "callRecordingDone" || data67 === "callTranscriptDone" || data67 === "apiDone" || data67 === "apiInterested" || data67 === "apiNotInterested" || data67 === "apiFailed" || data67 === "manualInterested" || data67 === "manualNotInterested" || data67 === "annotated" || data67 === "paused" || data67 === "resumed" || data67 === "stopped" || data67 === "campaignComplete" || data67 === "customDomainErrors" || data67 === "connectionIssue" || data67 === "sendLimitReached" || data67 === "warmupPaused" || data67 === "enrichmentDone" || data67 === "enrichmentError" || data67 === "inboxLabelUpdated" || data67 === "signalRegistered" || data67 === "deliverabilityAlertTriggered")) {
                const err144 = { instancePath: instancePath + "/webhooks/" + key27.replace(/~/g, "~0").replace(/\//g, "~1") + "/type", schemaPath: "#/properties/webhooks/additionalProperties/properties/type/anyOf/0/enum", keyword: "enum", params: { allowedValues: schema31.properties.webhooks.additionalProperties.properties.type.anyOf[0].enum }, message: "must be equal to one of the allowed values", schema: schema31.properties.webhooks.additionalProperties.properties.type.anyOf[0].enum, parentSchema: schema31.properties.webhooks.additionalProperties.properties.type.anyOf[0], data: data67 };
                if (vErrors === null) {
                  vErrors = [err144];
                } else {
                  vErrors.push(err144);
                }
                errors++;
              }
              var _valid7 = _errs198 === errors;
              valid51 = valid51 || _valid7;
              const _errs199 = errors;
              if (typeof data67 !== "string") {
                const err145 = { instancePath: instancePath + "/webhooks/" + key27.replace(/~/g, "~0").replace(/\//g, "~1") + "/type", schemaPath: "#/properties/webhooks/additionalProperties/properties/type/anyOf/1/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema31.properties.webhooks.additionalProperties.properties.type.anyOf[1].type, parentSchema: schema31.properties.webhooks.additionalProperties.properties.type.anyOf[1], data: data67 };
                if (vErrors === null) {
                  vErrors = [err145];
                } else {
                  vErrors.push(err145);
                }
                errors++;
              }
              var _valid7 = _errs199 === errors;
              valid51 = valid51 || _valid7;
              if (!valid51) {
                const err146 = { instancePath: instancePath + "/webhooks/" + key27.replace(/~/g, "~0").replace(/\//g, "~1") + "/type", schemaPath: "#/properties/webhooks/additionalProperties/properties/type/anyOf", keyword: "anyOf", params: {}, message: "must match a schema in anyOf", schema: schema31.properties.webhooks.additionalProperties.properties.type.anyOf, parentSchema: schema31.properties.webhooks.additionalProperties.properties.type, data: data67 };
                if (vErrors === null) {
                  vErrors = [err146];
                } else {
                  vErrors.push(err146);
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
            if (data65.types !== void 0) {
              let data68 = data65.types;
              if (Array.isArray(data68)) {
                const len5 = data68.length;
                for (let i5 = 0; i5 < len5; i5++) {
                  let data69 = data68[i5];
                  const _errs204 = errors;
                  let valid54 = false;
                  const _errs205 = errors;
                  if (!(data69 === "contacted" || data69 === "hooked" || data69 === "attracted" || data69 === "warmed" || data69 === "interested" || data69 === "notInterested" || data69 === "emailsSent" || data69 === "emailsOpened" || data69 === "emailsClicked" || data69 === "emailsReplied" || data69 === "emailsBounced" || data69 === "emailsFailed" || data69 === "emailsInterested" || data69 === "emailsNotInterested" || data69 === "emailsUnsubscribed" || data69 === "networkSent" || data69 === "networkOpened" || data69 === "networkReplied" || data69 === "networkInterested" || data69 === "networkNotInterested" || data69 === "networkSendFailed" || data69 === "networkVisitDone" || data69 === "networkVisitFailed" || data69 === "networkFollowDone" || data69 === "networkFollowFailed" || data69 === "networkFollowSkipped" || data69 === "networkInviteDone" || data69 === "networkInviteFailed" || data69 === "networkInviteAccepted" || data69 === "networkEndorseDone" || data69 === "networkEndorseFailed" || data69 === "networkEndorseSkipped" || data69 === "networkVoiceNoteDone" || data69 === "networkVoiceNoteFailed" || data69 === "networkLikeLastPostDone" || data69 === "networkLikeLastPostNoPost" || data69 === "networkLikeLastPostFailed" || data69 === "networkWithdrawInvitationDone" || data69 === "networkWithdrawInvitationFailed" || data69 === "chatMessageSent" || data69 === "chatMessageDelivered" || data69 === "chatMessageOpened" || data69 === "chatReplied" || data69 === "chatMessageFailed" || data69 === "smsSent" || data69 === "smsDelivered" || data69 === "smsReplied" || data69 === "smsFailed" || data69 === "dialerCreated" || data69 === "dialerEnded" || data69 === "dialerDone" || data69 === "dialerInterested" || data69 === "dialerNotInterested" || data69 === "callRecordingDone" || data69 === "callTranscriptDone" || data69 === "apiDone" || data69 === "apiInterested" || data69 === "apiNotInterested" || data69 === "apiFailed" || data69 === "manualInterested" || data69 === "manualNotInterested" || data69 === "annotated" || data69 === "paused" || data69 === "resumed" || data69 === "stopped" || data69 === "campaignComplete" || data69 === "customDomainErrors" || data69 === "connectionIssue" || data69 === "sendLimitReached" || data69 === "warmupPaused" || data69 === "enrichmentDone" || data69 === "enrichmentError" || data69 === "inboxLabelUpdated" || data69 === "signalRegistered" || data69 === "deliverabilityAlertTriggered")) {
                    const err147 = { instancePath: instancePath + "/webhooks/" + key27.replace(/~/g, "~0").replace(/\//g, "~1") + "/types/" + i5, schemaPath: "#/properties/webhooks/additionalProperties/properties/types/items/anyOf/0/enum", keyword: "enum", params: { allowedValues: schema31.properties.webhooks.additionalProperties.properties.types.items.anyOf[0].enum }, message: "must be equal to one of the allowed values", schema: schema31.properties.webhooks.additionalProperties.properties.types.items.anyOf[0].enum, parentSchema: schema31.properties.webhooks.additionalProperties.properties.types.items.anyOf[0], data: data69 };
                    if (vErrors === null) {
                      vErrors = [err147];
                    } else {
                      vErrors.push(err147);
                    }
                    errors++;
                  }
                  var _valid8 = _errs205 === errors;
                  valid54 = valid54 || _valid8;
                  const _errs206 = errors;
                  if (typeof data69 !== "string") {
                    const err148 = { instancePath: instancePath + "/webhooks/" + key27.replace(/~/g, "~0").replace(/\//g, "~1") + "/types/" + i5, schemaPath: "#/properties/webhooks/additionalProperties/properties/types/items/anyOf/1/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema31.properties.webhooks.additionalProperties.properties.types.items.anyOf[1].type, parentSchema: schema31.properties.webhooks.additionalProperties.properties.types.items.anyOf[1], data: data69 };
                    if (vErrors === null) {
                      vErrors = [err148];
                    } else {
                      vErrors.push(err148);
                    }
                    errors++;
                  }
                  var _valid8 = _errs206 === errors;
                  valid54 = valid54 || _valid8;
                  if (!valid54) {
                    const err149 = { instancePath: instancePath + "/webhooks/" + key27.replace(/~/g, "~0").replace(/\//g, "~1") + "/types/" + i5, schemaPath: "#/properties/webhooks/additionalProperties/properties/types/items/anyOf", keyword: "anyOf", params: {}, message: "must match a schema in anyOf", schema: schema31.properties.webhooks.additionalProperties.properties.types.items.anyOf, parentSchema: schema31.properties.webhooks.additionalProperties.properties.types.items, data: data69 };
                    if (vErrors === null) {
                      vErrors = [err149];
                    } else {
                      vErrors.push(err149);
                    }
                    errors++;
                  } else {
                    errors = _errs204;
                    if (vErrors !== null) {
                      if (_errs204) {
                        vErrors.length = _errs204;
                      } else {
                        vErrors = null;
                      }
                    }
                  }
                }
              } else {
                const err150 = { instancePath: instancePath + "/webhooks/" + key27.replace(/~/g, "~0").replace(/\//g, "~1") + "/types", schemaPath: "#/properties/webhooks/additionalProperties/properties/types/type", keyword: "type", params: { type: "array" }, message: "must be array", schema: schema31.properties.webhooks.additionalProperties.properties.types.type, parentSchema: schema31.properties.webhooks.additionalProperties.properties.types, data: data68 };
                if (vErrors === null) {
                  vErrors = [err150];
                } else {
                  vErrors.push(err150);
                }
                errors++;
              }
            }
            if (data65.campaign_id !== void 0) {
              let data70 = data65.campaign_id;
              if (typeof data70 !== "string") {
                const err151 = { instancePath: instancePath + "/webhooks/" + key27.replace(/~/g, "~0").replace(/\//g, "~1") + "/campaign_id", schemaPath: "#/properties/webhooks/additionalProperties/properties/campaign_id/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema31.properties.webhooks.additionalProperties.properties.campaign_id.type, parentSchema: schema31.properties.webhooks.additionalProperties.properties.campaign_id, data: data70 };
                if (vErrors === null) {
                  vErrors = [err151];
                } else {
                  vErrors.push(err151);
                }
                errors++;
              }
            }
            if (data65.campaign !== void 0) {
              let data71 = data65.campaign;
              if (typeof data71 !== "string") {
                const err152 = { instancePath: instancePath + "/webhooks/" + key27.replace(/~/g, "~0").replace(/\//g, "~1") + "/campaign", schemaPath: "#/properties/webhooks/additionalProperties/properties/campaign/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema31.properties.webhooks.additionalProperties.properties.campaign.type, parentSchema: schema31.properties.webhooks.additionalProperties.properties.campaign, data: data71 };
                if (vErrors === null) {
                  vErrors = [err152];
                } else {
                  vErrors.push(err152);
                }
                errors++;
              }
            }
            if (data65.campaigns !== void 0) {
              let data72 = data65.campaigns;
              if (typeof data72 !== "string" && !Array.isArray(data72)) {
                const err153 = { instancePath: instancePath + "/webhooks/" + key27.replace(/~/g, "~0").replace(/\//g, "~1") + "/campaigns", schemaPath: "#/properties/webhooks/additionalProperties/properties/campaigns/type", keyword: "type", params: { type: schema31.properties.webhooks.additionalProperties.properties.campaigns.type }, message: "must be string,array", schema: schema31.properties.webhooks.additionalProperties.properties.campaigns.type, parentSchema: schema31.properties.webhooks.additionalProperties.properties.campaigns, data: data72 };
                if (vErrors === null) {
                  vErrors = [err153];
                } else {
                  vErrors.push(err153);
                }
                errors++;
              }
              if (Array.isArray(data72)) {
                const len6 = data72.length;
                for (let i6 = 0; i6 < len6; i6++) {
                  let data73 = data72[i6];
                  if (typeof data73 !== "string") {
                    const err154 = { instancePath: instancePath + "/webhooks/" + key27.replace(/~/g, "~0").replace(/\//g, "~1") + "/campaigns/" + i6, schemaPath: "#/properties/webhooks/additionalProperties/properties/campaigns/items/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema31.properties.webhooks.additionalProperties.properties.campaigns.items.type, parentSchema: schema31.properties.webhooks.additionalProperties.properties.campaigns.items, data: data73 };
                    if (vErrors === null) {
                      vErrors = [err154];
                    } else {
                      vErrors.push(err154);
                    }
                    errors++;
                  }
                }
              }
            }
            if (data65.is_first !== void 0) {
              let data74 = data65.is_first;
              const _errs217 = errors;
              let valid57 = false;
              const _errs218 = errors;
              if (typeof data74 !== "boolean") {
                const err155 = { instancePath: instancePath + "/webhooks/" + key27.replace(/~/g, "~0").replace(/\//g, "~1") + "/is_first", schemaPath: "#/properties/webhooks/additionalProperties/properties/is_first/anyOf/0/type", keyword: "type", params: { type: "boolean" }, message: "must be boolean", schema: schema31.properties.webhooks.additionalProperties.properties.is_first.anyOf[0].type, parentSchema: schema31.properties.webhooks.additionalProperties.properties.is_first.anyOf[0], data: data74 };
                if (vErrors === null) {
                  vErrors = [err155];
                } else {
                  vErrors.push(err155);
                }
                errors++;
              }
              var _valid9 = _errs218 === errors;
              valid57 = valid57 || _valid9;
              const _errs220 = errors;
              if (typeof data74 === "string") {
                if (!pattern12.test(data74)) {
                  const err156 = { instancePath: instancePath + "/webhooks/" + key27.replace(/~/g, "~0").replace(/\//g, "~1") + "/is_first", schemaPath: "#/properties/webhooks/additionalProperties/properties/is_first/anyOf/1/pattern", keyword: "pattern", params: { pattern: "\\$\\{" }, message: 'must match pattern "\\$\\{"', schema: "\\$\\{", parentSchema: schema31.properties.webhooks.additionalProperties.properties.is_first.anyOf[1], data: data74 };
                  if (vErrors === null) {
                    vErrors = [err156];
                  } else {
                    vErrors.push(err156);
                  }
                  errors++;
                }
              } else {
                const err157 = { instancePath: instancePath + "/webhooks/" + key27.replace(/~/g, "~0").replace(/\//g, "~1") + "/is_first", schemaPath: "#/properties/webhooks/additionalProperties/properties/is_first/anyOf/1/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema31.properties.webhooks.additionalProperties.properties.is_first.anyOf[1].type, parentSchema: schema31.properties.webhooks.additionalProperties.properties.is_first.anyOf[1], data: data74 };
                if (vErrors === null) {
                  vErrors = [err157];
                } else {
                  vErrors.push(err157);
                }
                errors++;
              }
              var _valid9 = _errs220 === errors;
              valid57 = valid57 || _valid9;
              if (!valid57) {
                const err158 = { instancePath: instancePath + "/webhooks/" + key27.replace(/~/g, "~0").replace(/\//g, "~1") + "/is_first", schemaPath: "#/properties/webhooks/additionalProperties/properties/is_first/anyOf", keyword: "anyOf", params: {}, message: "must match a schema in anyOf", schema: schema31.properties.webhooks.additionalProperties.properties.is_first.anyOf, parentSchema: schema31.properties.webhooks.additionalProperties.properties.is_first, data: data74 };
                if (vErrors === null) {
                  vErrors = [err158];
                } else {
                  vErrors.push(err158);
                }
                errors++;
              } else {
                errors = _errs217;
                if (vErrors !== null) {
                  if (_errs217) {
                    vErrors.length = _errs217;
                  } else {
                    vErrors = null;
                  }
                }
              }
            }
            if (data65.automation_id !== void 0) {
              let data75 = data65.automation_id;
              if (typeof data75 !== "string") {
                const err159 = { instancePath: instancePath + "/webhooks/" + key27.replace(/~/g, "~0").replace(/\//g, "~1") + "/automation_id", schemaPath: "#/properties/webhooks/additionalProperties/properties/automation_id/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema31.properties.webhooks.additionalProperties.properties.automation_id.type, parentSchema: schema31.properties.webhooks.additionalProperties.properties.automation_id, data: data75 };
                if (vErrors === null) {
                  vErrors = [err159];
                } else {
                  vErrors.push(err159);
                }
                errors++;
              }
            }
            if (data65.secret !== void 0) {
              let data76 = data65.secret;
              const _errs227 = errors;
              const _errs228 = errors;
              const _errs229 = errors;
              let valid60 = false;
              const _errs230 = errors;
              if (data76 && typeof data76 == "object" && !Array.isArray(data76)) {
                let missing9;
                if (data76.env === void 0 && (missing9 = "env") || data76.file === void 0 && (missing9 = "file")) {
                  const err160 = {};
                  if (vErrors === null) {
                    vErrors = [err160];
                  } else {
                    vErrors.push(err160);
                  }
                  errors++;
                }
              }
              var _valid10 = _errs230 === errors;
              valid60 = valid60 || _valid10;
              const _errs231 = errors;
              if (data76 && typeof data76 == "object" && !Array.isArray(data76)) {
                let missing10;
                if (data76.env === void 0 && (missing10 = "env") || data76.command === void 0 && (missing10 = "command")) {
                  const err161 = {};
                  if (vErrors === null) {
                    vErrors = [err161];
                  } else {
                    vErrors.push(err161);
                  }
                  errors++;
                }
              }
              var _valid10 = _errs231 === errors;
              valid60 = valid60 || _valid10;
              const _errs232 = errors;
              if (data76 && typeof data76 == "object" && !Array.isArray(data76)) {
                let missing11;
                if (data76.file === void 0 && (missing11 = "file") || data76.command === void 0 && (missing11 = "command")) {
                  const err162 = {};
                  if (vErrors === null) {
                    vErrors = [err162];
                  } else {
                    vErrors.push(err162);
                  }
                  errors++;
                }
              }
              var _valid10 = _errs232 === errors;
              valid60 = valid60 || _valid10;
              if (!valid60) {
                const err163 = {};
                if (vErrors === null) {
                  vErrors = [err163];
                } else {
                  vErrors.push(err163);
                }
                errors++;
              } else {
                errors = _errs229;
                if (vErrors !== null) {
                  if (_errs229) {
                    vErrors.length = _errs229;
                  } else {
                    vErrors = null;
                  }
                }
              }
              var valid59 = _errs228 === errors;
              if (valid59) {
                const err164 = { instancePath: instancePath + "/webhooks/" + key27.replace(/~/g, "~0").replace(/\//g, "~1") + "/secret", schemaPath: "#/$defs/secret/not", keyword: "not", params: {}, message: "must NOT be valid", schema: schema32.not, parentSchema: schema32, data: data76 };
                if (vErrors === null) {
                  vErrors = [err164];
                } else {
                  vErrors.push(err164);
                }
                errors++;
              } else {
                errors = _errs227;
                if (vErrors !== null) {
                  if (_errs227) {
                    vErrors.length = _errs227;
                  } else {
                    vErrors = null;
                  }
                }
              }
              if (data76 && typeof data76 == "object" && !Array.isArray(data76)) {
                if (Object.keys(data76).length < 1) {
                  const err165 = { instancePath: instancePath + "/webhooks/" + key27.replace(/~/g, "~0").replace(/\//g, "~1") + "/secret", schemaPath: "#/$defs/secret/minProperties", keyword: "minProperties", params: { limit: 1 }, message: "must NOT have fewer than 1 properties", schema: 1, parentSchema: schema32, data: data76 };
                  if (vErrors === null) {
                    vErrors = [err165];
                  } else {
                    vErrors.push(err165);
                  }
                  errors++;
                }
                for (const key29 in data76) {
                  if (!(key29 === "env" || key29 === "file" || key29 === "command")) {
                    const err166 = { instancePath: instancePath + "/webhooks/" + key27.replace(/~/g, "~0").replace(/\//g, "~1") + "/secret", schemaPath: "#/$defs/secret/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key29 }, message: "must NOT have additional properties", schema: false, parentSchema: schema32, data: data76 };
                    if (vErrors === null) {
                      vErrors = [err166];
                    } else {
                      vErrors.push(err166);
                    }
                    errors++;
                  }
                }
                if (data76.env !== void 0) {
                  let data77 = data76.env;
                  if (typeof data77 === "string") {
                    if (func2(data77) < 1) {
                      const err167 = { instancePath: instancePath + "/webhooks/" + key27.replace(/~/g, "~0").replace(/\//g, "~1") + "/secret/env", schemaPath: "#/$defs/secret/properties/env/minLength", keyword: "minLength", params: { limit: 1 }, message: "must NOT have fewer than 1 characters", schema: 1, parentSchema: schema32.properties.env, data: data77 };
                      if (vErrors === null) {
                        vErrors = [err167];
                      } else {
                        vErrors.push(err167);
                      }
                      errors++;
                    }
                  } else {
                    const err168 = { instancePath: instancePath + "/webhooks/" + key27.replace(/~/g, "~0").replace(/\//g, "~1") + "/secret/env", schemaPath: "#/$defs/secret/properties/env/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema32.properties.env.type, parentSchema: schema32.properties.env, data: data77 };
                    if (vErrors === null) {
                      vErrors = [err168];
                    } else {
                      vErrors.push(err168);
                    }
                    errors++;
                  }
                }
                if (data76.file !== void 0) {
                  let data78 = data76.file;
                  if (typeof data78 === "string") {
                    if (func2(data78) < 1) {
                      const err169 = { instancePath: instancePath + "/webhooks/" + key27.replace(/~/g, "~0").replace(/\//g, "~1") + "/secret/file", schemaPath: "#/$defs/secret/properties/file/minLength", keyword: "minLength", params: { limit: 1 }, message: "must NOT have fewer than 1 characters", schema: 1, parentSchema: schema32.properties.file, data: data78 };
                      if (vErrors === null) {
                        vErrors = [err169];
                      } else {
                        vErrors.push(err169);
                      }
                      errors++;
                    }
                  } else {
                    const err170 = { instancePath: instancePath + "/webhooks/" + key27.replace(/~/g, "~0").replace(/\//g, "~1") + "/secret/file", schemaPath: "#/$defs/secret/properties/file/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema32.properties.file.type, parentSchema: schema32.properties.file, data: data78 };
                    if (vErrors === null) {
                      vErrors = [err170];
                    } else {
                      vErrors.push(err170);
                    }
                    errors++;
                  }
                }
                if (data76.command !== void 0) {
                  let data79 = data76.command;
                  if (Array.isArray(data79)) {
                    if (data79.length < 1) {
                      const err171 = { instancePath: instancePath + "/webhooks/" + key27.replace(/~/g, "~0").replace(/\//g, "~1") + "/secret/command", schemaPath: "#/$defs/secret/properties/command/minItems", keyword: "minItems", params: { limit: 1 }, message: "must NOT have fewer than 1 items", schema: 1, parentSchema: schema32.properties.command, data: data79 };
                      if (vErrors === null) {
                        vErrors = [err171];
                      } else {
                        vErrors.push(err171);
                      }
                      errors++;
                    }
                    const len7 = data79.length;
                    for (let i7 = 0; i7 < len7; i7++) {
                      let data80 = data79[i7];
                      if (typeof data80 !== "string") {
                        const err172 = { instancePath: instancePath + "/webhooks/" + key27.replace(/~/g, "~0").replace(/\//g, "~1") + "/secret/command/" + i7, schemaPath: "#/$defs/secret/properties/command/items/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema32.properties.command.items.type, parentSchema: schema32.properties.command.items, data: data80 };
                        if (vErrors === null) {
                          vErrors = [err172];
                        } else {
                          vErrors.push(err172);
                        }
                        errors++;
                      }
                    }
                  } else {
                    const err173 = { instancePath: instancePath + "/webhooks/" + key27.replace(/~/g, "~0").replace(/\//g, "~1") + "/secret/command", schemaPath: "#/$defs/secret/properties/command/type", keyword: "type", params: { type: "array" }, message: "must be array", schema: schema32.properties.command.type, parentSchema: schema32.properties.command, data: data79 };
                    if (vErrors === null) {
                      vErrors = [err173];
                    } else {
                      vErrors.push(err173);
                    }
                    errors++;
                  }
                }
              } else {
                const err174 = { instancePath: instancePath + "/webhooks/" + key27.replace(/~/g, "~0").replace(/\//g, "~1") + "/secret", schemaPath: "#/$defs/secret/type", keyword: "type", params: { type: "object" }, message: "must be object", schema: schema32.type, parentSchema: schema32, data: data76 };
                if (vErrors === null) {
                  vErrors = [err174];
                } else {
                  vErrors.push(err174);
                }
                errors++;
              }
            }
            if (data65.allow_duplicate !== void 0) {
              let data81 = data65.allow_duplicate;
              const _errs243 = errors;
              let valid64 = false;
              const _errs244 = errors;
              if (typeof data81 !== "boolean") {
                const err175 = { instancePath: instancePath + "/webhooks/" + key27.replace(/~/g, "~0").replace(/\//g, "~1") + "/allow_duplicate", schemaPath: "#/properties/webhooks/additionalProperties/properties/allow_duplicate/anyOf/0/type", keyword: "type", params: { type: "boolean" }, message: "must be boolean", schema: schema31.properties.webhooks.additionalProperties.properties.allow_duplicate.anyOf[0].type, parentSchema: schema31.properties.webhooks.additionalProperties.properties.allow_duplicate.anyOf[0], data: data81 };
                if (vErrors === null) {
                  vErrors = [err175];
                } else {
                  vErrors.push(err175);
                }
                errors++;
              }
              var _valid11 = _errs244 === errors;
              valid64 = valid64 || _valid11;
              const _errs246 = errors;
              if (typeof data81 === "string") {
                if (!pattern12.test(data81)) {
                  const err176 = { instancePath: instancePath + "/webhooks/" + key27.replace(/~/g, "~0").replace(/\//g, "~1") + "/allow_duplicate", schemaPath: "#/properties/webhooks/additionalProperties/properties/allow_duplicate/anyOf/1/pattern", keyword: "pattern", params: { pattern: "\\$\\{" }, message: 'must match pattern "\\$\\{"', schema: "\\$\\{", parentSchema: schema31.properties.webhooks.additionalProperties.properties.allow_duplicate.anyOf[1], data: data81 };
                  if (vErrors === null) {
                    vErrors = [err176];
                  } else {
                    vErrors.push(err176);
                  }
                  errors++;
                }
              } else {
                const err177 = { instancePath: instancePath + "/webhooks/" + key27.replace(/~/g, "~0").replace(/\//g, "~1") + "/allow_duplicate", schemaPath: "#/properties/webhooks/additionalProperties/properties/allow_duplicate/anyOf/1/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema31.properties.webhooks.additionalProperties.properties.allow_duplicate.anyOf[1].type, parentSchema: schema31.properties.webhooks.additionalProperties.properties.allow_duplicate.anyOf[1], data: data81 };
                if (vErrors === null) {
                  vErrors = [err177];
                } else {
                  vErrors.push(err177);
                }
                errors++;
              }
              var _valid11 = _errs246 === errors;
              valid64 = valid64 || _valid11;
              if (!valid64) {
                const err178 = { instancePath: instancePath + "/webhooks/" + key27.replace(/~/g, "~0").replace(/\//g, "~1") + "/allow_duplicate", schemaPath: "#/properties/webhooks/additionalProperties/properties/allow_duplicate/anyOf", keyword: "anyOf", params: {}, message: "must match a schema in anyOf", schema: schema31.properties.webhooks.additionalProperties.properties.allow_duplicate.anyOf, parentSchema: schema31.properties.webhooks.additionalProperties.properties.allow_duplicate, data: data81 };
                if (vErrors === null) {
                  vErrors = [err178];
                } else {
                  vErrors.push(err178);
                }
                errors++;
              } else {
                errors = _errs243;
                if (vErrors !== null) {
                  if (_errs243) {
                    vErrors.length = _errs243;
                  } else {
                    vErrors = null;
                  }
                }
              }
            }
            if (data65.rotation !== void 0) {
              let data82 = data65.rotation;
              const _errs249 = errors;
              let valid65 = false;
              const _errs250 = errors;
              if (!(data82 === "delete_first" || data82 === "create_first")) {
                const err179 = { instancePath: instancePath + "/webhooks/" + key27.replace(/~/g, "~0").replace(/\//g, "~1") + "/rotation", schemaPath: "#/properties/webhooks/additionalProperties/properties/rotation/anyOf/0/enum", keyword: "enum", params: { allowedValues: schema31.properties.webhooks.additionalProperties.properties.rotation.anyOf[0].enum }, message: "must be equal to one of the allowed values", schema: schema31.properties.webhooks.additionalProperties.properties.rotation.anyOf[0].enum, parentSchema: schema31.properties.webhooks.additionalProperties.properties.rotation.anyOf[0], data: data82 };
                if (vErrors === null) {
                  vErrors = [err179];
                } else {
                  vErrors.push(err179);
                }
                errors++;
              }
              var _valid12 = _errs250 === errors;
              valid65 = valid65 || _valid12;
              const _errs251 = errors;
              if (typeof data82 !== "string") {
                const err180 = { instancePath: instancePath + "/webhooks/" + key27.replace(/~/g, "~0").replace(/\//g, "~1") + "/rotation", schemaPath: "#/properties/webhooks/additionalProperties/properties/rotation/anyOf/1/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema31.properties.webhooks.additionalProperties.properties.rotation.anyOf[1].type, parentSchema: schema31.properties.webhooks.additionalProperties.properties.rotation.anyOf[1], data: data82 };
                if (vErrors === null) {
                  vErrors = [err180];
                } else {
                  vErrors.push(err180);
                }
                errors++;
              }
              var _valid12 = _errs251 === errors;
              valid65 = valid65 || _valid12;
              if (!valid65) {
                const err181 = { instancePath: instancePath + "/webhooks/" + key27.replace(/~/g, "~0").replace(/\//g, "~1") + "/rotation", schemaPath: "#/properties/webhooks/additionalProperties/properties/rotation/anyOf", keyword: "anyOf", params: {}, message: "must match a schema in anyOf", schema: schema31.properties.webhooks.additionalProperties.properties.rotation.anyOf, parentSchema: schema31.properties.webhooks.additionalProperties.properties.rotation, data: data82 };
                if (vErrors === null) {
                  vErrors = [err181];
                } else {
                  vErrors.push(err181);
                }
                errors++;
              } else {
                errors = _errs249;
                if (vErrors !== null) {
                  if (_errs249) {
                    vErrors.length = _errs249;
                  } else {
                    vErrors = null;
                  }
                }
              }
            }
            if (data65.protect !== void 0) {
              let data83 = data65.protect;
              const _errs254 = errors;
              let valid66 = false;
              const _errs255 = errors;
              if (typeof data83 !== "boolean") {
                const err182 = { instancePath: instancePath + "/webhooks/" + key27.replace(/~/g, "~0").replace(/\//g, "~1") + "/protect", schemaPath: "#/properties/webhooks/additionalProperties/properties/protect/anyOf/0/type", keyword: "type", params: { type: "boolean" }, message: "must be boolean", schema: schema31.properties.webhooks.additionalProperties.properties.protect.anyOf[0].type, parentSchema: schema31.properties.webhooks.additionalProperties.properties.protect.anyOf[0], data: data83 };
                if (vErrors === null) {
                  vErrors = [err182];
                } else {
                  vErrors.push(err182);
                }
                errors++;
              }
              var _valid13 = _errs255 === errors;
              valid66 = valid66 || _valid13;
              const _errs257 = errors;
              if (typeof data83 === "string") {
                if (!pattern12.test(data83)) {
                  const err183 = { instancePath: instancePath + "/webhooks/" + key27.replace(/~/g, "~0").replace(/\//g, "~1") + "/protect", schemaPath: "#/properties/webhooks/additionalProperties/properties/protect/anyOf/1/pattern", keyword: "pattern", params: { pattern: "\\$\\{" }, message: 'must match pattern "\\$\\{"', schema: "\\$\\{", parentSchema: schema31.properties.webhooks.additionalProperties.properties.protect.anyOf[1], data: data83 };
                  if (vErrors === null) {
                    vErrors = [err183];
                  } else {
                    vErrors.push(err183);
                  }
                  errors++;
                }
              } else {
                const err184 = { instancePath: instancePath + "/webhooks/" + key27.replace(/~/g, "~0").replace(/\//g, "~1") + "/protect", schemaPath: "#/properties/webhooks/additionalProperties/properties/protect/anyOf/1/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema31.properties.webhooks.additionalProperties.properties.protect.anyOf[1].type, parentSchema: schema31.properties.webhooks.additionalProperties.properties.protect.anyOf[1], data: data83 };
                if (vErrors === null) {
                  vErrors = [err184];
                } else {
                  vErrors.push(err184);
                }
                errors++;
              }
              var _valid13 = _errs257 === errors;
              valid66 = valid66 || _valid13;
              if (!valid66) {
                const err185 = { instancePath: instancePath + "/webhooks/" + key27.replace(/~/g, "~0").replace(/\//g, "~1") + "/protect", schemaPath: "#/properties/webhooks/additionalProperties/properties/protect/anyOf", keyword: "anyOf", params: {}, message: "must match a schema in anyOf", schema: schema31.properties.webhooks.additionalProperties.properties.protect.anyOf, parentSchema: schema31.properties.webhooks.additionalProperties.properties.protect, data: data83 };
                if (vErrors === null) {
                  vErrors = [err185];
                } else {
                  vErrors.push(err185);
                }
                errors++;
              } else {
                errors = _errs254;
                if (vErrors !== null) {
                  if (_errs254) {
                    vErrors.length = _errs254;
                  } else {
                    vErrors = null;
                  }
                }
              }
            }
            if (data65.allow_empty !== void 0) {
              let data84 = data65.allow_empty;
              if (typeof data84 !== "boolean") {
                const err186 = { instancePath: instancePath + "/webhooks/" + key27.replace(/~/g, "~0").replace(/\//g, "~1") + "/allow_empty", schemaPath: "#/properties/webhooks/additionalProperties/properties/allow_empty/type", keyword: "type", params: { type: "boolean" }, message: "must be boolean", schema: schema31.properties.webhooks.additionalProperties.properties.allow_empty.type, parentSchema: schema31.properties.webhooks.additionalProperties.properties.allow_empty, data: data84 };
                if (vErrors === null) {
                  vErrors = [err186];
                } else {
                  vErrors.push(err186);
                }
                errors++;
              }
            }
            if (data65.prune !== void 0) {
              let data85 = data65.prune;
              if (typeof data85 !== "boolean") {
                const err187 = { instancePath: instancePath + "/webhooks/" + key27.replace(/~/g, "~0").replace(/\//g, "~1") + "/prune", schemaPath: "#/properties/webhooks/additionalProperties/properties/prune/type", keyword: "type", params: { type: "boolean" }, message: "must be boolean", schema: schema31.properties.webhooks.additionalProperties.properties.prune.type, parentSchema: schema31.properties.webhooks.additionalProperties.properties.prune, data: data85 };
                if (vErrors === null) {
                  vErrors = [err187];
                } else {
                  vErrors.push(err187);
                }
                errors++;
              }
            }
          } else {
            const err188 = { instancePath: instancePath + "/webhooks/" + key27.replace(/~/g, "~0").replace(/\//g, "~1"), schemaPath: "#/properties/webhooks/additionalProperties/type", keyword: "type", params: { type: "object" }, message: "must be object", schema: schema31.properties.webhooks.additionalProperties.type, parentSchema: schema31.properties.webhooks.additionalProperties, data: data65 };
            if (vErrors === null) {
              vErrors = [err188];
            } else {
              vErrors.push(err188);
            }
            errors++;
          }
        }
      } else {
        const err189 = { instancePath: instancePath + "/webhooks", schemaPath: "#/properties/webhooks/type", keyword: "type", params: { type: "object" }, message: "must be object", schema: schema31.properties.webhooks.type, parentSchema: schema31.properties.webhooks, data: data64 };
        if (vErrors === null) {
          vErrors = [err189];
        } else {
          vErrors.push(err189);
        }
        errors++;
      }
    }
    if (data.lead_unsubscriptions !== void 0) {
      let data86 = data.lead_unsubscriptions;
      if (data86 && typeof data86 == "object" && !Array.isArray(data86)) {
        for (const key30 in data86) {
          const _errs265 = errors;
          if (typeof key30 === "string") {
            if (!pattern5.test(key30)) {
              const err190 = { instancePath: instancePath + "/lead_unsubscriptions", schemaPath: "#/properties/lead_unsubscriptions/propertyNames/pattern", keyword: "pattern", params: { pattern: "^[\\p{L}_][\\p{L}\\p{N}_-]*$" }, message: 'must match pattern "^[\\p{L}_][\\p{L}\\p{N}_-]*$"', schema: "^[\\p{L}_][\\p{L}\\p{N}_-]*$", parentSchema: schema31.properties.lead_unsubscriptions.propertyNames, data: key30, propertyName: key30 };
              if (vErrors === null) {
                vErrors = [err190];
              } else {
                vErrors.push(err190);
              }
              errors++;
            }
          }
          var valid67 = _errs265 === errors;
          if (!valid67) {
            const err191 = { instancePath: instancePath + "/lead_unsubscriptions", schemaPath: "#/properties/lead_unsubscriptions/propertyNames", keyword: "propertyNames", params: { propertyName: key30 }, message: "property name must be valid", schema: schema31.properties.lead_unsubscriptions.propertyNames, parentSchema: schema31.properties.lead_unsubscriptions, data: data86 };
            if (vErrors === null) {
              vErrors = [err191];
            } else {
              vErrors.push(err191);
            }
            errors++;
          }
        }
        for (const key31 in data86) {
          let data87 = data86[key31];
          if (data87 && typeof data87 == "object" && !Array.isArray(data87)) {
            for (const key32 in data87) {
              if (!func1.call(schema31.properties.lead_unsubscriptions.additionalProperties.properties, key32)) {
                const err192 = { instancePath: instancePath + "/lead_unsubscriptions/" + key31.replace(/~/g, "~0").replace(/\//g, "~1"), schemaPath: "#/properties/lead_unsubscriptions/additionalProperties/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key32 }, message: "must NOT have additional properties", schema: false, parentSchema: schema31.properties.lead_unsubscriptions.additionalProperties, data: data87 };
                if (vErrors === null) {
                  vErrors = [err192];
                } else {
                  vErrors.push(err192);
                }
                errors++;
              }
            }
            if (data87.campaign_id !== void 0) {
              let data88 = data87.campaign_id;
              if (typeof data88 !== "string") {
                const err193 = { instancePath: instancePath + "/lead_unsubscriptions/" + key31.replace(/~/g, "~0").replace(/\//g, "~1") + "/campaign_id", schemaPath: "#/properties/lead_unsubscriptions/additionalProperties/properties/campaign_id/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema31.properties.lead_unsubscriptions.additionalProperties.properties.campaign_id.type, parentSchema: schema31.properties.lead_unsubscriptions.additionalProperties.properties.campaign_id, data: data88 };
                if (vErrors === null) {
                  vErrors = [err193];
                } else {
                  vErrors.push(err193);
                }
                errors++;
              }
            }
            if (data87.campaign !== void 0) {
              let data89 = data87.campaign;
              if (typeof data89 !== "string") {
                const err194 = { instancePath: instancePath + "/lead_unsubscriptions/" + key31.replace(/~/g, "~0").replace(/\//g, "~1") + "/campaign", schemaPath: "#/properties/lead_unsubscriptions/additionalProperties/properties/campaign/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema31.properties.lead_unsubscriptions.additionalProperties.properties.campaign.type, parentSchema: schema31.properties.lead_unsubscriptions.additionalProperties.properties.campaign, data: data89 };
                if (vErrors === null) {
                  vErrors = [err194];
                } else {
                  vErrors.push(err194);
                }
                errors++;
              }
            }
            if (data87.campaigns !== void 0) {
              let data90 = data87.campaigns;
              if (typeof data90 !== "string" && !Array.isArray(data90)) {
                const err195 = { instancePath: instancePath + "/lead_unsubscriptions/" + key31.replace(/~/g, "~0").replace(/\//g, "~1") + "/campaigns", schemaPath: "#/properties/lead_unsubscriptions/additionalProperties/properties/campaigns/type", keyword: "type", params: { type: schema31.properties.lead_unsubscriptions.additionalProperties.properties.campaigns.type }, message: "must be string,array", schema: schema31.properties.lead_unsubscriptions.additionalProperties.properties.campaigns.type, parentSchema: schema31.properties.lead_unsubscriptions.additionalProperties.properties.campaigns, data: data90 };
                if (vErrors === null) {
                  vErrors = [err195];
                } else {
                  vErrors.push(err195);
                }
                errors++;
              }
              if (Array.isArray(data90)) {
                const len8 = data90.length;
                for (let i8 = 0; i8 < len8; i8++) {
                  let data91 = data90[i8];
                  if (typeof data91 !== "string") {
                    const err196 = { instancePath: instancePath + "/lead_unsubscriptions/" + key31.replace(/~/g, "~0").replace(/\//g, "~1") + "/campaigns/" + i8, schemaPath: "#/properties/lead_unsubscriptions/additionalProperties/properties/campaigns/items/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema31.properties.lead_unsubscriptions.additionalProperties.properties.campaigns.items.type, parentSchema: schema31.properties.lead_unsubscriptions.additionalProperties.properties.campaigns.items, data: data91 };
                    if (vErrors === null) {
                      vErrors = [err196];
                    } else {
                      vErrors.push(err196);
                    }
                    errors++;
                  }
                }
              }
            }
            if (data87.email !== void 0) {
              let data92 = data87.email;
              if (typeof data92 !== "string") {
                const err197 = { instancePath: instancePath + "/lead_unsubscriptions/" + key31.replace(/~/g, "~0").replace(/\//g, "~1") + "/email", schemaPath: "#/properties/lead_unsubscriptions/additionalProperties/properties/email/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema31.properties.lead_unsubscriptions.additionalProperties.properties.email.type, parentSchema: schema31.properties.lead_unsubscriptions.additionalProperties.properties.email, data: data92 };
                if (vErrors === null) {
                  vErrors = [err197];
                } else {
                  vErrors.push(err197);
                }
                errors++;
              }
            }
            if (data87.emails !== void 0) {
              let data93 = data87.emails;
              if (Array.isArray(data93)) {
                const len9 = data93.length;
                for (let i9 = 0; i9 < len9; i9++) {
                  let data94 = data93[i9];
                  if (typeof data94 !== "string") {
                    const err198 = { instancePath: instancePath + "/lead_unsubscriptions/" + key31.replace(/~/g, "~0").replace(/\//g, "~1") + "/emails/" + i9, schemaPath: "#/properties/lead_unsubscriptions/additionalProperties/properties/emails/items/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema31.properties.lead_unsubscriptions.additionalProperties.properties.emails.items.type, parentSchema: schema31.properties.lead_unsubscriptions.additionalProperties.properties.emails.items, data: data94 };
                    if (vErrors === null) {
                      vErrors = [err198];
                    } else {
                      vErrors.push(err198);
                    }
                    errors++;
                  }
                }
              } else {
                const err199 = { instancePath: instancePath + "/lead_unsubscriptions/" + key31.replace(/~/g, "~0").replace(/\//g, "~1") + "/emails", schemaPath: "#/properties/lead_unsubscriptions/additionalProperties/properties/emails/type", keyword: "type", params: { type: "array" }, message: "must be array", schema: schema31.properties.lead_unsubscriptions.additionalProperties.properties.emails.type, parentSchema: schema31.properties.lead_unsubscriptions.additionalProperties.properties.emails, data: data93 };
                if (vErrors === null) {
                  vErrors = [err199];
                } else {
                  vErrors.push(err199);
                }
                errors++;
              }
            }
            if (data87.emails_from !== void 0) {
              let data95 = data87.emails_from;
              if (typeof data95 === "string") {
                if (func2(data95) < 1) {
                  const err200 = { instancePath: instancePath + "/lead_unsubscriptions/" + key31.replace(/~/g, "~0").replace(/\//g, "~1") + "/emails_from", schemaPath: "#/properties/lead_unsubscriptions/additionalProperties/properties/emails_from/minLength", keyword: "minLength", params: { limit: 1 }, message: "must NOT have fewer than 1 characters", schema: 1, parentSchema: schema31.properties.lead_unsubscriptions.additionalProperties.properties.emails_from, data: data95 };
                  if (vErrors === null) {
                    vErrors = [err200];
                  } else {
                    vErrors.push(err200);
                  }
                  errors++;
                }
              } else {
                const err201 = { instancePath: instancePath + "/lead_unsubscriptions/" + key31.replace(/~/g, "~0").replace(/\//g, "~1") + "/emails_from", schemaPath: "#/properties/lead_unsubscriptions/additionalProperties/properties/emails_from/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema31.properties.lead_unsubscriptions.additionalProperties.properties.emails_from.type, parentSchema: schema31.properties.lead_unsubscriptions.additionalProperties.properties.emails_from, data: data95 };
                if (vErrors === null) {
                  vErrors = [err201];
                } else {
                  vErrors.push(err201);
                }
                errors++;
              }
            }
            if (data87.on_not_found !== void 0) {
              let data96 = data87.on_not_found;
              const _errs287 = errors;
              let valid74 = false;
              const _errs288 = errors;
              if (!(data96 === "warn" || data96 === "ignore" || data96 === "error" || data96 === "retry")) {
                const err202 = { instancePath: instancePath + "/lead_unsubscriptions/" + key31.replace(/~/g, "~0").replace(/\//g, "~1") + "/on_not_found", schemaPath: "#/properties/lead_unsubscriptions/additionalProperties/properties/on_not_found/anyOf/0/enum", keyword: "enum", params: { allowedValues: schema31.properties.lead_unsubscriptions.additionalProperties.properties.on_not_found.anyOf[0].enum }, message: "must be equal to one of the allowed values", schema: schema31.properties.lead_unsubscriptions.additionalProperties.properties.on_not_found.anyOf[0].enum, parentSchema: schema31.properties.lead_unsubscriptions.additionalProperties.properties.on_not_found.anyOf[0], data: data96 };
                if (vErrors === null) {
                  vErrors = [err202];
                } else {
                  vErrors.push(err202);
                }
                errors++;
              }
              var _valid14 = _errs288 === errors;
              valid74 = valid74 || _valid14;
              const _errs289 = errors;
              if (typeof data96 !== "string") {
                const err203 = { instancePath: instancePath + "/lead_unsubscriptions/" + key31.replace(/~/g, "~0").replace(/\//g, "~1") + "/on_not_found", schemaPath: "#/properties/lead_unsubscriptions/additionalProperties/properties/on_not_found/anyOf/1/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema31.properties.lead_unsubscriptions.additionalProperties.properties.on_not_found.anyOf[1].type, parentSchema: schema31.properties.lead_unsubscriptions.additionalProperties.properties.on_not_found.anyOf[1], data: data96 };
                if (vErrors === null) {
                  vErrors = [err203];
                } else {
                  vErrors.push(err203);
                }
                errors++;
              }
              var _valid14 = _errs289 === errors;
              valid74 = valid74 || _valid14;
              if (!valid74) {
                const err204 = { instancePath: instancePath + "/lead_unsubscriptions/" + key31.replace(/~/g, "~0").replace(/\//g, "~1") + "/on_not_found", schemaPath: "#/properties/lead_unsubscriptions/additionalProperties/properties/on_not_found/anyOf", keyword: "anyOf", params: {}, message: "must match a schema in anyOf", schema: schema31.properties.lead_unsubscriptions.additionalProperties.properties.on_not_found.anyOf, parentSchema: schema31.properties.lead_unsubscriptions.additionalProperties.properties.on_not_found, data: data96 };
                if (vErrors === null) {
                  vErrors = [err204];
                } else {
                  vErrors.push(err204);
                }
                errors++;
              } else {
                errors = _errs287;
                if (vErrors !== null) {
                  if (_errs287) {
                    vErrors.length = _errs287;
                  } else {
                    vErrors = null;
                  }
                }
              }
            }
            if (data87.allow_empty !== void 0) {
              let data97 = data87.allow_empty;
              if (typeof data97 !== "boolean") {
                const err205 = { instancePath: instancePath + "/lead_unsubscriptions/" + key31.replace(/~/g, "~0").replace(/\//g, "~1") + "/allow_empty", schemaPath: "#/properties/lead_unsubscriptions/additionalProperties/properties/allow_empty/type", keyword: "type", params: { type: "boolean" }, message: "must be boolean", schema: schema31.properties.lead_unsubscriptions.additionalProperties.properties.allow_empty.type, parentSchema: schema31.properties.lead_unsubscriptions.additionalProperties.properties.allow_empty, data: data97 };
                if (vErrors === null) {
                  vErrors = [err205];
                } else {
                  vErrors.push(err205);
                }
                errors++;
              }
            }
            if (data87.prune !== void 0) {
              let data98 = data87.prune;
              if (typeof data98 !== "boolean") {
                const err206 = { instancePath: instancePath + "/lead_unsubscriptions/" + key31.replace(/~/g, "~0").replace(/\//g, "~1") + "/prune", schemaPath: "#/properties/lead_unsubscriptions/additionalProperties/properties/prune/type", keyword: "type", params: { type: "boolean" }, message: "must be boolean", schema: schema31.properties.lead_unsubscriptions.additionalProperties.properties.prune.type, parentSchema: schema31.properties.lead_unsubscriptions.additionalProperties.properties.prune, data: data98 };
                if (vErrors === null) {
                  vErrors = [err206];
                } else {
                  vErrors.push(err206);
                }
                errors++;
              }
            }
          } else {
            const err207 = { instancePath: instancePath + "/lead_unsubscriptions/" + key31.replace(/~/g, "~0").replace(/\//g, "~1"), schemaPath: "#/properties/lead_unsubscriptions/additionalProperties/type", keyword: "type", params: { type: "object" }, message: "must be object", schema: schema31.properties.lead_unsubscriptions.additionalProperties.type, parentSchema: schema31.properties.lead_unsubscriptions.additionalProperties, data: data87 };
            if (vErrors === null) {
              vErrors = [err207];
            } else {
              vErrors.push(err207);
            }
            errors++;
          }
        }
      } else {
        const err208 = { instancePath: instancePath + "/lead_unsubscriptions", schemaPath: "#/properties/lead_unsubscriptions/type", keyword: "type", params: { type: "object" }, message: "must be object", schema: schema31.properties.lead_unsubscriptions.type, parentSchema: schema31.properties.lead_unsubscriptions, data: data86 };
        if (vErrors === null) {
          vErrors = [err208];
        } else {
          vErrors.push(err208);
        }
        errors++;
      }
    }
    if (data.imports !== void 0) {
      let data99 = data.imports;
      if (Array.isArray(data99)) {
        const len10 = data99.length;
        for (let i10 = 0; i10 < len10; i10++) {
          let data100 = data99[i10];
          if (data100 && typeof data100 == "object" && !Array.isArray(data100)) {
            if (data100.to === void 0) {
              const err209 = { instancePath: instancePath + "/imports/" + i10, schemaPath: "#/properties/imports/items/required", keyword: "required", params: { missingProperty: "to" }, message: "must have required property 'to'", schema: schema31.properties.imports.items.required, parentSchema: schema31.properties.imports.items, data: data100 };
              if (vErrors === null) {
                vErrors = [err209];
              } else {
                vErrors.push(err209);
              }
              errors++;
            }
            if (data100.id === void 0) {
              const err210 = { instancePath: instancePath + "/imports/" + i10, schemaPath: "#/properties/imports/items/required", keyword: "required", params: { missingProperty: "id" }, message: "must have required property 'id'", schema: schema31.properties.imports.items.required, parentSchema: schema31.properties.imports.items, data: data100 };
              if (vErrors === null) {
                vErrors = [err210];
              } else {
                vErrors.push(err210);
              }
              errors++;
            }
            for (const key33 in data100) {
              if (!(key33 === "to" || key33 === "id")) {
                const err211 = { instancePath: instancePath + "/imports/" + i10, schemaPath: "#/properties/imports/items/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key33 }, message: "must NOT have additional properties", schema: false, parentSchema: schema31.properties.imports.items, data: data100 };
                if (vErrors === null) {
                  vErrors = [err211];
                } else {
                  vErrors.push(err211);
                }
                errors++;
              }
            }
            if (data100.to !== void 0) {
              let data101 = data100.to;
              if (typeof data101 === "string") {
                if (func2(data101) < 1) {
                  const err212 = { instancePath: instancePath + "/imports/" + i10 + "/to", schemaPath: "#/properties/imports/items/properties/to/minLength", keyword: "minLength", params: { limit: 1 }, message: "must NOT have fewer than 1 characters", schema: 1, parentSchema: schema31.properties.imports.items.properties.to, data: data101 };
                  if (vErrors === null) {
                    vErrors = [err212];
                  } else {
                    vErrors.push(err212);
                  }
                  errors++;
                }
              } else {
                const err213 = { instancePath: instancePath + "/imports/" + i10 + "/to", schemaPath: "#/properties/imports/items/properties/to/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema31.properties.imports.items.properties.to.type, parentSchema: schema31.properties.imports.items.properties.to, data: data101 };
                if (vErrors === null) {
                  vErrors = [err213];
                } else {
                  vErrors.push(err213);
                }
                errors++;
              }
            }
            if (data100.id !== void 0) {
              let data102 = data100.id;
              if (typeof data102 === "string") {
                if (func2(data102) < 1) {
                  const err214 = { instancePath: instancePath + "/imports/" + i10 + "/id", schemaPath: "#/properties/imports/items/properties/id/minLength", keyword: "minLength", params: { limit: 1 }, message: "must NOT have fewer than 1 characters", schema: 1, parentSchema: schema31.properties.imports.items.properties.id, data: data102 };
                  if (vErrors === null) {
                    vErrors = [err214];
                  } else {
                    vErrors.push(err214);
                  }
                  errors++;
                }
              } else {
                const err215 = { instancePath: instancePath + "/imports/" + i10 + "/id", schemaPath: "#/properties/imports/items/properties/id/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema31.properties.imports.items.properties.id.type, parentSchema: schema31.properties.imports.items.properties.id, data: data102 };
                if (vErrors === null) {
                  vErrors = [err215];
                } else {
                  vErrors.push(err215);
                }
                errors++;
              }
            }
          } else {
            const err216 = { instancePath: instancePath + "/imports/" + i10, schemaPath: "#/properties/imports/items/type", keyword: "type", params: { type: "object" }, message: "must be object", schema: schema31.properties.imports.items.type, parentSchema: schema31.properties.imports.items, data: data100 };
            if (vErrors === null) {
              vErrors = [err216];
            } else {
              vErrors.push(err216);
            }
            errors++;
          }
        }
      } else {
        const err217 = { instancePath: instancePath + "/imports", schemaPath: "#/properties/imports/type", keyword: "type", params: { type: "array" }, message: "must be array", schema: schema31.properties.imports.type, parentSchema: schema31.properties.imports, data: data99 };
        if (vErrors === null) {
          vErrors = [err217];
        } else {
          vErrors.push(err217);
        }
        errors++;
      }
    }
    if (data.moved !== void 0) {
      let data103 = data.moved;
      if (Array.isArray(data103)) {
        const len11 = data103.length;
        for (let i11 = 0; i11 < len11; i11++) {
          let data104 = data103[i11];
          if (data104 && typeof data104 == "object" && !Array.isArray(data104)) {
            if (data104.from === void 0) {
              const err218 = { instancePath: instancePath + "/moved/" + i11, schemaPath: "#/properties/moved/items/required", keyword: "required", params: { missingProperty: "from" }, message: "must have required property 'from'", schema: schema31.properties.moved.items.required, parentSchema: schema31.properties.moved.items, data: data104 };
              if (vErrors === null) {
                vErrors = [err218];
              } else {
                vErrors.push(err218);
              }
              errors++;
            }
            if (data104.to === void 0) {
              const err219 = { instancePath: instancePath + "/moved/" + i11, schemaPath: "#/properties/moved/items/required", keyword: "required", params: { missingProperty: "to" }, message: "must have required property 'to'", schema: schema31.properties.moved.items.required, parentSchema: schema31.properties.moved.items, data: data104 };
              if (vErrors === null) {
                vErrors = [err219];
              } else {
                vErrors.push(err219);
              }
              errors++;
            }
            for (const key34 in data104) {
              if (!(key34 === "from" || key34 === "to")) {
                const err220 = { instancePath: instancePath + "/moved/" + i11, schemaPath: "#/properties/moved/items/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key34 }, message: "must NOT have additional properties", schema: false, parentSchema: schema31.properties.moved.items, data: data104 };
                if (vErrors === null) {
                  vErrors = [err220];
                } else {
                  vErrors.push(err220);
                }
                errors++;
              }
            }
            if (data104.from !== void 0) {
              let data105 = data104.from;
              if (typeof data105 === "string") {
                if (func2(data105) < 1) {
                  const err221 = { instancePath: instancePath + "/moved/" + i11 + "/from", schemaPath: "#/properties/moved/items/properties/from/minLength", keyword: "minLength", params: { limit: 1 }, message: "must NOT have fewer than 1 characters", schema: 1, parentSchema: schema31.properties.moved.items.properties.from, data: data105 };
                  if (vErrors === null) {
                    vErrors = [err221];
                  } else {
                    vErrors.push(err221);
                  }
                  errors++;
                }
              } else {
                const err222 = { instancePath: instancePath + "/moved/" + i11 + "/from", schemaPath: "#/properties/moved/items/properties/from/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema31.properties.moved.items.properties.from.type, parentSchema: schema31.properties.moved.items.properties.from, data: data105 };
                if (vErrors === null) {
                  vErrors = [err222];
                } else {
                  vErrors.push(err222);
                }
                errors++;
              }
            }
            if (data104.to !== void 0) {
              let data106 = data104.to;
              if (typeof data106 === "string") {
                if (func2(data106) < 1) {
                  const err223 = { instancePath: instancePath + "/moved/" + i11 + "/to", schemaPath: "#/properties/moved/items/properties/to/minLength", keyword: "minLength", params: { limit: 1 }, message: "must NOT have fewer than 1 characters", schema: 1, parentSchema: schema31.properties.moved.items.properties.to, data: data106 };
                  if (vErrors === null) {
                    vErrors = [err223];
                  } else {
                    vErrors.push(err223);
                  }
                  errors++;
                }
              } else {
                const err224 = { instancePath: instancePath + "/moved/" + i11 + "/to", schemaPath: "#/properties/moved/items/properties/to/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema31.properties.moved.items.properties.to.type, parentSchema: schema31.properties.moved.items.properties.to, data: data106 };
                if (vErrors === null) {
                  vErrors = [err224];
                } else {
                  vErrors.push(err224);
                }
                errors++;
              }
            }
          } else {
            const err225 = { instancePath: instancePath + "/moved/" + i11, schemaPath: "#/properties/moved/items/type", keyword: "type", params: { type: "object" }, message: "must be object", schema: schema31.properties.moved.items.type, parentSchema: schema31.properties.moved.items, data: data104 };
            if (vErrors === null) {
              vErrors = [err225];
            } else {
              vErrors.push(err225);
            }
            errors++;
          }
        }
      } else {
        const err226 = { instancePath: instancePath + "/moved", schemaPath: "#/properties/moved/type", keyword: "type", params: { type: "array" }, message: "must be array", schema: schema31.properties.moved.type, parentSchema: schema31.properties.moved, data: data103 };
        if (vErrors === null) {
          vErrors = [err226];
        } else {
          vErrors.push(err226);
        }
        errors++;
      }
    }
    if (data.removed !== void 0) {
      let data107 = data.removed;
      if (Array.isArray(data107)) {
        const len12 = data107.length;
        for (let i12 = 0; i12 < len12; i12++) {
          let data108 = data107[i12];
          if (data108 && typeof data108 == "object" && !Array.isArray(data108)) {
            if (data108.from === void 0) {
              const err227 = { instancePath: instancePath + "/removed/" + i12, schemaPath: "#/properties/removed/items/required", keyword: "required", params: { missingProperty: "from" }, message: "must have required property 'from'", schema: schema31.properties.removed.items.required, parentSchema: schema31.properties.removed.items, data: data108 };
              if (vErrors === null) {
                vErrors = [err227];
              } else {
                vErrors.push(err227);
              }
              errors++;
            }
            for (const key35 in data108) {
              if (!(key35 === "from" || key35 === "destroy")) {
                const err228 = { instancePath: instancePath + "/removed/" + i12, schemaPath: "#/properties/removed/items/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key35 }, message: "must NOT have additional properties", schema: false, parentSchema: schema31.properties.removed.items, data: data108 };
                if (vErrors === null) {
                  vErrors = [err228];
                } else {
                  vErrors.push(err228);
                }
                errors++;
              }
            }
            if (data108.from !== void 0) {
              let data109 = data108.from;
              if (typeof data109 === "string") {
                if (func2(data109) < 1) {
                  const err229 = { instancePath: instancePath + "/removed/" + i12 + "/from", schemaPath: "#/properties/removed/items/properties/from/minLength", keyword: "minLength", params: { limit: 1 }, message: "must NOT have fewer than 1 characters", schema: 1, parentSchema: schema31.properties.removed.items.properties.from, data: data109 };
                  if (vErrors === null) {
                    vErrors = [err229];
                  } else {
                    vErrors.push(err229);
                  }
                  errors++;
                }
              } else {
                const err230 = { instancePath: instancePath + "/removed/" + i12 + "/from", schemaPath: "#/properties/removed/items/properties/from/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema31.properties.removed.items.properties.from.type, parentSchema: schema31.properties.removed.items.properties.from, data: data109 };
                if (vErrors === null) {
                  vErrors = [err230];
                } else {
                  vErrors.push(err230);
                }
                errors++;
              }
            }
            if (data108.destroy !== void 0) {
              let data110 = data108.destroy;
              if (typeof data110 !== "boolean") {
                const err231 = { instancePath: instancePath + "/removed/" + i12 + "/destroy", schemaPath: "#/properties/removed/items/properties/destroy/type", keyword: "type", params: { type: "boolean" }, message: "must be boolean", schema: schema31.properties.removed.items.properties.destroy.type, parentSchema: schema31.properties.removed.items.properties.destroy, data: data110 };
                if (vErrors === null) {
                  vErrors = [err231];
                } else {
                  vErrors.push(err231);
                }
                errors++;
              }
            }
          } else {
            const err232 = { instancePath: instancePath + "/removed/" + i12, schemaPath: "#/properties/removed/items/type", keyword: "type", params: { type: "object" }, message: "must be object", schema: schema31.properties.removed.items.type, parentSchema: schema31.properties.removed.items, data: data108 };
            if (vErrors === null) {
              vErrors = [err232];
            } else {
              vErrors.push(err232);
            }
            errors++;
          }
        }
      } else {
        const err233 = { instancePath: instancePath + "/removed", schemaPath: "#/properties/removed/type", keyword: "type", params: { type: "array" }, message: "must be array", schema: schema31.properties.removed.type, parentSchema: schema31.properties.removed, data: data107 };
        if (vErrors === null) {
          vErrors = [err233];
        } else {
          vErrors.push(err233);
        }
        errors++;
      }
    }
    if (data.outputs !== void 0) {
      let data111 = data.outputs;
      if (data111 && typeof data111 == "object" && !Array.isArray(data111)) {
        for (const key36 in data111) {
          const _errs324 = errors;
          if (typeof key36 === "string") {
            if (!pattern5.test(key36)) {
              const err234 = { instancePath: instancePath + "/outputs", schemaPath: "#/properties/outputs/propertyNames/pattern", keyword: "pattern", params: { pattern: "^[\\p{L}_][\\p{L}\\p{N}_-]*$" }, message: 'must match pattern "^[\\p{L}_][\\p{L}\\p{N}_-]*$"', schema: "^[\\p{L}_][\\p{L}\\p{N}_-]*$", parentSchema: schema31.properties.outputs.propertyNames, data: key36, propertyName: key36 };
              if (vErrors === null) {
                vErrors = [err234];
              } else {
                vErrors.push(err234);
              }
              errors++;
            }
          }
          var valid84 = _errs324 === errors;
          if (!valid84) {
            const err235 = { instancePath: instancePath + "/outputs", schemaPath: "#/properties/outputs/propertyNames", keyword: "propertyNames", params: { propertyName: key36 }, message: "property name must be valid", schema: schema31.properties.outputs.propertyNames, parentSchema: schema31.properties.outputs, data: data111 };
            if (vErrors === null) {
              vErrors = [err235];
            } else {
              vErrors.push(err235);
            }
            errors++;
          }
        }
        for (const key37 in data111) {
          let data112 = data111[key37];
          if ((!data112 || typeof data112 != "object") && typeof data112 !== "string" && !(typeof data112 == "number" && isFinite(data112)) && typeof data112 !== "boolean") {
            const err236 = { instancePath: instancePath + "/outputs/" + key37.replace(/~/g, "~0").replace(/\//g, "~1"), schemaPath: "#/properties/outputs/additionalProperties/type", keyword: "type", params: { type: schema31.properties.outputs.additionalProperties.type }, message: "must be string,number,boolean,array,object", schema: schema31.properties.outputs.additionalProperties.type, parentSchema: schema31.properties.outputs.additionalProperties, data: data112 };
            if (vErrors === null) {
              vErrors = [err236];
            } else {
              vErrors.push(err236);
            }
            errors++;
          }
          if (Array.isArray(data112)) {
            const len13 = data112.length;
            for (let i13 = 0; i13 < len13; i13++) {
              let data113 = data112[i13];
              if (typeof data113 !== "string" && !(typeof data113 == "number" && isFinite(data113)) && typeof data113 !== "boolean") {
                const err237 = { instancePath: instancePath + "/outputs/" + key37.replace(/~/g, "~0").replace(/\//g, "~1") + "/" + i13, schemaPath: "#/properties/outputs/additionalProperties/items/type", keyword: "type", params: { type: schema31.properties.outputs.additionalProperties.items.type }, message: "must be string,number,boolean", schema: schema31.properties.outputs.additionalProperties.items.type, parentSchema: schema31.properties.outputs.additionalProperties.items, data: data113 };
                if (vErrors === null) {
                  vErrors = [err237];
                } else {
                  vErrors.push(err237);
                }
                errors++;
              }
            }
          }
          if (data112 && typeof data112 == "object" && !Array.isArray(data112)) {
            for (const key38 in data112) {
              if (!(key38 === "value" || key38 === "sensitive" || key38 === "description")) {
                const err238 = { instancePath: instancePath + "/outputs/" + key37.replace(/~/g, "~0").replace(/\//g, "~1"), schemaPath: "#/properties/outputs/additionalProperties/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key38 }, message: "must NOT have additional properties", schema: false, parentSchema: schema31.properties.outputs.additionalProperties, data: data112 };
                if (vErrors === null) {
                  vErrors = [err238];
                } else {
                  vErrors.push(err238);
                }
                errors++;
              }
            }
            if (data112.value !== void 0) {
              let data114 = data112.value;
              if (typeof data114 !== "string" && !(typeof data114 == "number" && isFinite(data114)) && typeof data114 !== "boolean" && !Array.isArray(data114)) {
                const err239 = { instancePath: instancePath + "/outputs/" + key37.replace(/~/g, "~0").replace(/\//g, "~1") + "/value", schemaPath: "#/properties/outputs/additionalProperties/properties/value/type", keyword: "type", params: { type: schema31.properties.outputs.additionalProperties.properties.value.type }, message: "must be string,number,boolean,array", schema: schema31.properties.outputs.additionalProperties.properties.value.type, parentSchema: schema31.properties.outputs.additionalProperties.properties.value, data: data114 };
                if (vErrors === null) {
                  vErrors = [err239];
                } else {
                  vErrors.push(err239);
                }
                errors++;
              }
              if (Array.isArray(data114)) {
                const len14 = data114.length;
                for (let i14 = 0; i14 < len14; i14++) {
                  let data115 = data114[i14];
                  if (typeof data115 !== "string" && !(typeof data115 == "number" && isFinite(data115)) && typeof data115 !== "boolean") {
                    const err240 = { instancePath: instancePath + "/outputs/" + key37.replace(/~/g, "~0").replace(/\//g, "~1") + "/value/" + i14, schemaPath: "#/properties/outputs/additionalProperties/properties/value/items/type", keyword: "type", params: { type: schema31.properties.outputs.additionalProperties.properties.value.items.type }, message: "must be string,number,boolean", schema: schema31.properties.outputs.additionalProperties.properties.value.items.type, parentSchema: schema31.properties.outputs.additionalProperties.properties.value.items, data: data115 };
                    if (vErrors === null) {
                      vErrors = [err240];
                    } else {
                      vErrors.push(err240);
                    }
                    errors++;
                  }
                }
              }
            }
            if (data112.sensitive !== void 0) {
              let data116 = data112.sensitive;
              if (typeof data116 !== "boolean") {
                const err241 = { instancePath: instancePath + "/outputs/" + key37.replace(/~/g, "~0").replace(/\//g, "~1") + "/sensitive", schemaPath: "#/properties/outputs/additionalProperties/properties/sensitive/type", keyword: "type", params: { type: "boolean" }, message: "must be boolean", schema: schema31.properties.outputs.additionalProperties.properties.sensitive.type, parentSchema: schema31.properties.outputs.additionalProperties.properties.sensitive, data: data116 };
                if (vErrors === null) {
                  vErrors = [err241];
                } else {
                  vErrors.push(err241);
                }
                errors++;
              }
            }
            if (data112.description !== void 0) {
              let data117 = data112.description;
              if (typeof data117 !== "string") {
                const err242 = { instancePath: instancePath + "/outputs/" + key37.replace(/~/g, "~0").replace(/\//g, "~1") + "/description", schemaPath: "#/properties/outputs/additionalProperties/properties/description/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema31.properties.outputs.additionalProperties.properties.description.type, parentSchema: schema31.properties.outputs.additionalProperties.properties.description, data: data117 };
                if (vErrors === null) {
                  vErrors = [err242];
                } else {
                  vErrors.push(err242);
                }
                errors++;
              }
            }
          }
        }
      } else {
        const err243 = { instancePath: instancePath + "/outputs", schemaPath: "#/properties/outputs/type", keyword: "type", params: { type: "object" }, message: "must be object", schema: schema31.properties.outputs.type, parentSchema: schema31.properties.outputs, data: data111 };
        if (vErrors === null) {
          vErrors = [err243];
        } else {
          vErrors.push(err243);
        }
        errors++;
      }
    }
    if (data.limits !== void 0) {
      let data118 = data.limits;
      if (data118 && typeof data118 == "object" && !Array.isArray(data118)) {
        for (const key39 in data118) {
          if (!(key39 === "delete" || key39 === "replace" || key39 === "recreate" || key39 === "unsubscribe")) {
            const err244 = { instancePath: instancePath + "/limits", schemaPath: "#/properties/limits/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key39 }, message: "must NOT have additional properties", schema: false, parentSchema: schema31.properties.limits, data: data118 };
            if (vErrors === null) {
              vErrors = [err244];
            } else {
              vErrors.push(err244);
            }
            errors++;
          }
        }
        if (data118.delete !== void 0) {
          let data119 = data118.delete;
          if (!(typeof data119 == "number" && (!(data119 % 1) && !isNaN(data119)) && isFinite(data119)) && typeof data119 !== "string") {
            const err245 = { instancePath: instancePath + "/limits/delete", schemaPath: "#/properties/limits/properties/delete/type", keyword: "type", params: { type: schema31.properties.limits.properties.delete.type }, message: "must be integer,string", schema: schema31.properties.limits.properties.delete.type, parentSchema: schema31.properties.limits.properties.delete, data: data119 };
            if (vErrors === null) {
              vErrors = [err245];
            } else {
              vErrors.push(err245);
            }
            errors++;
          }
          if (typeof data119 == "number" && isFinite(data119)) {
            if (data119 < 0 || isNaN(data119)) {
              const err246 = { instancePath: instancePath + "/limits/delete", schemaPath: "#/properties/limits/properties/delete/minimum", keyword: "minimum", params: { comparison: ">=", limit: 0 }, message: "must be >= 0", schema: 0, parentSchema: schema31.properties.limits.properties.delete, data: data119 };
              if (vErrors === null) {
                vErrors = [err246];
              } else {
                vErrors.push(err246);
              }
              errors++;
            }
          }
          if (typeof data119 === "string") {
            if (!pattern17.test(data119)) {
              const err247 = { instancePath: instancePath + "/limits/delete", schemaPath: "#/properties/limits/properties/delete/pattern", keyword: "pattern", params: { pattern: "^(100|[1-9]?[0-9])%$" }, message: 'must match pattern "^(100|[1-9]?[0-9])%$"', schema: "^(100|[1-9]?[0-9])%$", parentSchema: schema31.properties.limits.properties.delete, data: data119 };
              if (vErrors === null) {
                vErrors = [err247];
              } else {
                vErrors.push(err247);
              }
              errors++;
            }
          }
        }
        if (data118.replace !== void 0) {
          let data120 = data118.replace;
          if (!(typeof data120 == "number" && (!(data120 % 1) && !isNaN(data120)) && isFinite(data120)) && typeof data120 !== "string") {
            const err248 = { instancePath: instancePath + "/limits/replace", schemaPath: "#/properties/limits/properties/replace/type", keyword: "type", params: { type: schema31.properties.limits.properties.replace.type }, message: "must be integer,string", schema: schema31.properties.limits.properties.replace.type, parentSchema: schema31.properties.limits.properties.replace, data: data120 };
            if (vErrors === null) {
              vErrors = [err248];
            } else {
              vErrors.push(err248);
            }
            errors++;
          }
          if (typeof data120 == "number" && isFinite(data120)) {
            if (data120 < 0 || isNaN(data120)) {
              const err249 = { instancePath: instancePath + "/limits/replace", schemaPath: "#/properties/limits/properties/replace/minimum", keyword: "minimum", params: { comparison: ">=", limit: 0 }, message: "must be >= 0", schema: 0, parentSchema: schema31.properties.limits.properties.replace, data: data120 };
              if (vErrors === null) {
                vErrors = [err249];
              } else {
                vErrors.push(err249);
              }
              errors++;
            }
          }
          if (typeof data120 === "string") {
            if (!pattern17.test(data120)) {
              const err250 = { instancePath: instancePath + "/limits/replace", schemaPath: "#/properties/limits/properties/replace/pattern", keyword: "pattern", params: { pattern: "^(100|[1-9]?[0-9])%$" }, message: 'must match pattern "^(100|[1-9]?[0-9])%$"', schema: "^(100|[1-9]?[0-9])%$", parentSchema: schema31.properties.limits.properties.replace, data: data120 };
              if (vErrors === null) {
                vErrors = [err250];
              } else {
                vErrors.push(err250);
              }
              errors++;
            }
          }
        }
        if (data118.recreate !== void 0) {
          let data121 = data118.recreate;
          if (!(typeof data121 == "number" && (!(data121 % 1) && !isNaN(data121)) && isFinite(data121)) && typeof data121 !== "string") {
            const err251 = { instancePath: instancePath + "/limits/recreate", schemaPath: "#/properties/limits/properties/recreate/type", keyword: "type", params: { type: schema31.properties.limits.properties.recreate.type }, message: "must be integer,string", schema: schema31.properties.limits.properties.recreate.type, parentSchema: schema31.properties.limits.properties.recreate, data: data121 };
            if (vErrors === null) {
              vErrors = [err251];
            } else {
              vErrors.push(err251);
            }
            errors++;
          }
          if (typeof data121 == "number" && isFinite(data121)) {
            if (data121 < 0 || isNaN(data121)) {
              const err252 = { instancePath: instancePath + "/limits/recreate", schemaPath: "#/properties/limits/properties/recreate/minimum", keyword: "minimum", params: { comparison: ">=", limit: 0 }, message: "must be >= 0", schema: 0, parentSchema: schema31.properties.limits.properties.recreate, data: data121 };
              if (vErrors === null) {
                vErrors = [err252];
              } else {
                vErrors.push(err252);
              }
              errors++;
            }
          }
          if (typeof data121 === "string") {
            if (!pattern17.test(data121)) {
              const err253 = { instancePath: instancePath + "/limits/recreate", schemaPath: "#/properties/limits/properties/recreate/pattern", keyword: "pattern", params: { pattern: "^(100|[1-9]?[0-9])%$" }, message: 'must match pattern "^(100|[1-9]?[0-9])%$"', schema: "^(100|[1-9]?[0-9])%$", parentSchema: schema31.properties.limits.properties.recreate, data: data121 };
              if (vErrors === null) {
                vErrors = [err253];
              } else {
                vErrors.push(err253);
              }
              errors++;
            }
          }
        }
        if (data118.unsubscribe !== void 0) {
          let data122 = data118.unsubscribe;
          if (!(typeof data122 == "number" && (!(data122 % 1) && !isNaN(data122)) && isFinite(data122)) && typeof data122 !== "string") {
            const err254 = { instancePath: instancePath + "/limits/unsubscribe", schemaPath: "#/properties/limits/properties/unsubscribe/type", keyword: "type", params: { type: schema31.properties.limits.properties.unsubscribe.type }, message: "must be integer,string", schema: schema31.properties.limits.properties.unsubscribe.type, parentSchema: schema31.properties.limits.properties.unsubscribe, data: data122 };
            if (vErrors === null) {
              vErrors = [err254];
            } else {
              vErrors.push(err254);
            }
            errors++;
          }
          if (typeof data122 == "number" && isFinite(data122)) {
            if (data122 < 0 || isNaN(data122)) {
              const err255 = { instancePath: instancePath + "/limits/unsubscribe", schemaPath: "#/properties/limits/properties/unsubscribe/minimum", keyword: "minimum", params: { comparison: ">=", limit: 0 }, message: "must be >= 0", schema: 0, parentSchema: schema31.properties.limits.properties.unsubscribe, data: data122 };
              if (vErrors === null) {
                vErrors = [err255];
              } else {
                vErrors.push(err255);
              }
              errors++;
            }
          }
          if (typeof data122 === "string") {
            if (!pattern17.test(data122)) {
              const err256 = { instancePath: instancePath + "/limits/unsubscribe", schemaPath: "#/properties/limits/properties/unsubscribe/pattern", keyword: "pattern", params: { pattern: "^(100|[1-9]?[0-9])%$" }, message: 'must match pattern "^(100|[1-9]?[0-9])%$"', schema: "^(100|[1-9]?[0-9])%$", parentSchema: schema31.properties.limits.properties.unsubscribe, data: data122 };
              if (vErrors === null) {
                vErrors = [err256];
              } else {
                vErrors.push(err256);
              }
              errors++;
            }
          }
        }
      } else {
        const err257 = { instancePath: instancePath + "/limits", schemaPath: "#/properties/limits/type", keyword: "type", params: { type: "object" }, message: "must be object", schema: schema31.properties.limits.type, parentSchema: schema31.properties.limits, data: data118 };
        if (vErrors === null) {
          vErrors = [err257];
        } else {
          vErrors.push(err257);
        }
        errors++;
      }
    }
  } else {
    const err258 = { instancePath, schemaPath: "#/type", keyword: "type", params: { type: "object" }, message: "must be object", schema: schema31.type, parentSchema: schema31, data };
    if (vErrors === null) {
      vErrors = [err258];
    } else {
      vErrors.push(err258);
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
