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
var schema31 = { "$schema": "https://json-schema.org/draft/2020-12/schema", "$id": "https://outreach-as-code.example/schemas/config.schema.json", "title": "outreach configuration", "type": "object", "additionalProperties": false, "required": ["version"], "properties": { "version": { "const": 1, "description": "Version of this format: 1." }, "service": { "type": "object", "additionalProperties": false, "description": "The service to manage.", "properties": { "base_url": { "type": "string", "description": "Base address of the service's API. OUTREACH_BASE_URL takes precedence over it.", "examples": ["https://api.example.com/api"] }, "rate_share": { "type": "string", "pattern": "^(100|[1-9][0-9]?)%$", "description": "Share of the service's rate limit to use: 1% to 100%. A smaller share leaves room for other users of the key.", "default": "100%", "examples": ["50%"] }, "api_key": { "$ref": "#/$defs/secret", "description": "Source of the API key.", "default": { "env": "OUTREACH_API_KEY" } } } }, "state": { "type": "object", "additionalProperties": false, "description": "Where to store the state.", "properties": { "backend": { "enum": ["local"], "description": "local: A file.", "default": "local" }, "path": { "type": "string", "minLength": 1, "description": "Path of the file, relative to the configuration.", "default": "outreach.state.json", "examples": ["outreach.${var.stage}.state.json"] } } }, "variables": { "type": "object", "description": "Values that differ between runs. Set them with --var NAME=VALUE, --var-file, or OUTREACH_VAR_NAME.", "propertyNames": { "pattern": "^[\\p{L}_][\\p{L}\\p{N}_-]*$" }, "additionalProperties": { "type": ["object", "null"], "additionalProperties": false, "properties": { "default": { "type": ["string", "number", "boolean"], "description": "Value if none is set. Without a default, the variable is required." }, "allowed": { "type": "array", "minItems": 1, "items": { "type": ["string", "number", "boolean"] }, "description": "The only values that it may have, whether from its default or from outside.", "examples": [["staging", "production"]] }, "sensitive": { "type": "boolean", "default": false, "description": "Whether to mask values that contain it in output. The state still stores them." }, "description": { "type": "string", "description": "Purpose, for readers." } } } }, "data": { "type": "object", "additionalProperties": false, "description": "Objects of the service to look up. outreach only reads them.", "properties": { "campaign": { "type": "object", "description": "Campaigns to look up, by name.", "propertyNames": { "pattern": "^[\\p{L}_][\\p{L}\\p{N}_-]*$" }, "additionalProperties": { "type": "object", "additionalProperties": false, "description": "Reads one campaign by its id or its name. Set exactly one of them.", "required": [], "properties": { "id": { "description": "Id of the campaign.", "examples": ["cam_000001"], "type": "string" }, "name": { "description": "Exact name of the campaign.", "examples": ["Q3 launch"], "type": "string" }, "status": { "description": "Status, if several campaigns have the same name. A campaign can have several.", "anyOf": [{ "enum": ["running", "paused", "draft", "ended", "archived", "errors"] }, { "type": "string" }] } } } }, "campaigns": { "type": "object", "description": "Filters that find campaigns, by name. A block refers to one with campaigns.", "propertyNames": { "pattern": "^[\\p{L}_][\\p{L}\\p{N}_-]*$" }, "additionalProperties": { "type": "object", "additionalProperties": false, "description": "Reads the campaigns of the team that match every filter. Without a filter, it reads all campaigns.", "required": [], "properties": { "status": { "description": "Only campaigns with this status. A campaign can have several.", "anyOf": [{ "enum": ["running", "paused", "draft", "ended", "archived", "errors"] }, { "type": "string" }] }, "created_by": { "description": "Only campaigns that this user created.", "examples": ["usr_000001"], "type": "string" }, "labels": { "description": "Only campaigns with all of these labels.", "type": "array", "items": { "type": "string" } }, "name_regex": { "description": "Only campaigns whose name contains a match of this regular expression, in RE2's syntax as in Terraform.", "examples": ["^Q[34] "], "type": "string" }, "sort_order": { "description": "Order by creation time: `asc` (default) or `desc`.", "anyOf": [{ "enum": ["asc", "desc"] }, { "type": "string" }] } } } }, "schedules": { "type": "object", "description": "Schedules of campaigns to look up.", "propertyNames": { "pattern": "^[\\p{L}_][\\p{L}\\p{N}_-]*$" }, "additionalProperties": { "type": "object", "additionalProperties": false, "description": "Reads the schedules of a campaign: when it sends.", "required": [], "properties": { "campaign_id": { "description": "Id of the campaign.", "examples": ["cam_000001"], "type": "string" }, "campaign": { "type": "string", "description": "Name of a block under data.campaign, instead of the id." } } } }, "warmup_settings": { "type": "object", "description": "Warm-up settings of mailboxes to look up.", "propertyNames": { "pattern": "^[\\p{L}_][\\p{L}\\p{N}_-]*$" }, "additionalProperties": { "type": "object", "additionalProperties": false, "description": "Reads the warm-up settings of a mailbox. The service documents two sets of fields; a field that an answer omits is null.", "required": ["user_mailbox_id"], "properties": { "user_mailbox_id": { "description": "Id of the mailbox.", "examples": ["usm_000001"], "type": "string" } } } }, "webhooks": { "type": "object", "description": "Live webhooks, managed or not.", "propertyNames": { "pattern": "^[\\p{L}_][\\p{L}\\p{N}_-]*$" }, "additionalProperties": { "type": "object", "additionalProperties": false, "description": "Reads all live webhooks of the team, managed or not. The service never returns secrets.", "required": [], "properties": {} } } } }, "webhooks": { "type": "object", "description": "Webhooks to manage, by name.", "propertyNames": { "pattern": "^[\\p{L}_][\\p{L}\\p{N}_-]*$" }, "additionalProperties": { "type": "object", "additionalProperties": false, "description": "Manages a webhook. The service sends each event of a type, or all events, as an HTTP POST to a URL. It cannot update a webhook, so every change replaces it.", "required": ["target_url"], "properties": { "target_url": { "description": "URL that receives the events: https, without user info, at most 2,048 characters. http is valid only for loopback hosts.", "examples": ["https://crm.example.com/hooks/replies"], "type": "string" }, "type": { "description": "Event type to receive. Default: all events.", "examples": ["emailsReplied"], "anyOf": [{ "enum": ["contacted", "hooked", "attracted", "warmed", "interested", "notInterested", "emailsSent", "emailsOpened", "emailsClicked", "emailsReplied", "emailsBounced", "emailsFailed", "emailsInterested", "emailsNotInterested", "emailsUnsubscribed", "networkSent", "networkOpened", "networkReplied", "networkInterested", "networkNotInterested", "networkSendFailed", "networkVisitDone", "networkVisitFailed", "networkFollowDone", "networkFollowFailed", "networkFollowSkipped", "networkInviteDone", "networkInviteFailed", "networkInviteAccepted", "networkEndorseDone", "networkEndorseFailed", "networkEndorseSkipped", "networkVoiceNoteDone", "networkVoiceNoteFailed", "networkLikeLastPostDone", "networkLikeLastPostNoPost", "networkLikeLastPostFailed", "networkWithdrawInvitationDone", "networkWithdrawInvitationFailed", "chatMessageSent", "chatMessageDelivered", "chatMessageOpened", "chatReplied", "chatMessageFailed", "smsSent", "smsDelivered", "smsReplied", "smsFailed", "dialerCreated", "dialerEnded", "dialerDone", "dialerInterested", "dialerNotInterested", "callRecordingDone", "callTranscriptDone", "apiDone", "apiInterested", "apiNotInterested", "apiFailed", "manualInterested", "manualNotInterested", "annotated", "paused", "resumed", "stopped", "campaignComplete", "customDomainErrors", "connectionIssue", "sendLimitReached", "warmupPaused", "enrichmentDone", "enrichmentError", "inboxLabelUpdated", "signalRegistered", "deliverabilityAlertTriggered"] }, { "type": "string" }] }, "types": { "type": "array", "description": "Fan-out over event types: one webhook per type.", "items": { "anyOf": [{ "enum": ["contacted", "hooked", "attracted", "warmed", "interested", "notInterested", "emailsSent", "emailsOpened", "emailsClicked", "emailsReplied", "emailsBounced", "emailsFailed", "emailsInterested", "emailsNotInterested", "emailsUnsubscribed", "networkSent", "networkOpened", "networkReplied", "networkInterested", "networkNotInterested", "networkSendFailed", "networkVisitDone", "networkVisitFailed", "networkFollowDone", "networkFollowFailed", "networkFollowSkipped", "networkInviteDone", "networkInviteFailed", "networkInviteAccepted", "networkEndorseDone", "networkEndorseFailed", "networkEndorseSkipped", "networkVoiceNoteDone", "networkVoiceNoteFailed", "networkLikeLastPostDone", "networkLikeLastPostNoPost", "networkLikeLastPostFailed", "networkWithdrawInvitationDone", "networkWithdrawInvitationFailed", "chatMessageSent", "chatMessageDelivered", "chatMessageOpened", "chatReplied", "chatMessageFailed", "smsSent", "smsDelivered", "smsReplied", "smsFailed", "dialerCreated", "dialerEnded", "dialerDone", "dialerInterested", "dialerNotInterested", "callRecordingDone", "callTranscriptDone", "apiDone", "apiInterested", "apiNotInterested", "apiFailed", "manualInterested", "manualNotInterested", "annotated", "paused", "resumed", "stopped", "campaignComplete", "customDomainErrors", "connectionIssue", "sendLimitReached", "warmupPaused", "enrichmentDone", "enrichmentError", "inboxLabelUpdated", "signalRegistered", "deliverabilityAlertTriggered"] }, { "type": "string" }] }, "examples": [["emailsReplied"]] }, "campaign_id": { "description": "Campaign whose events to receive. Default: all campaigns.", "examples": ["cam_000001"], "type": "string" }, "campaign": { "type": "string", "description": "Name of a block under data.campaign, instead of the id." }, "campaigns": { "type": ["string", "array"], "description": "Fan-out over campaigns: the name of a block under data.campaigns, or a list of names under data.campaign.", "items": { "type": "string" } }, "is_first": { "description": "Whether to deliver only the first activity. Default: false.", "default": false, "anyOf": [{ "type": "boolean" }, { "type": "string", "pattern": "\\$\\{", "description": "Expression." }] }, "automation_id": { "description": "Identifier of your workflow automation. The service stores it for tracking.", "type": "string" }, "secret": { "$ref": "#/$defs/secret", "description": "Shared secret. The service adds it to each event, so the receiver can verify that the event is genuine. The service never returns it. A new secret replaces the webhook." }, "allow_duplicate": { "description": "Whether to allow a duplicate of this webhook. Default: false. A duplicate delivers every event twice, so creating one is otherwise an error.", "anyOf": [{ "type": "boolean" }, { "type": "string", "pattern": "\\$\\{", "description": "Expression." }] }, "rotation": { "description": "Order of a replace: `delete_first` (default; no event is delivered in between) or `create_first` (for a moment both deliver).", "default": "delete_first", "anyOf": [{ "enum": ["delete_first", "create_first"] }, { "type": "string" }] }, "protect": { "description": "Whether to block a delete, a destroy, and every replace except one for a new secret. If you remove the block, the last applied value still applies.", "default": false, "anyOf": [{ "type": "boolean" }, { "type": "string", "pattern": "\\$\\{", "description": "Expression." }] }, "allow_empty": { "type": "boolean", "default": false, "description": "Whether to allow an empty list or filter. Otherwise it is an error." }, "prune": { "type": "boolean", "default": false, "description": "Whether to delete the webhooks of a campaign that leaves the filter. Otherwise outreach keeps them, with a note." } } } }, "lead_unsubscriptions": { "type": "object", "description": "Leads to unsubscribe from campaigns, as named lists. The service cannot undo it.", "propertyNames": { "pattern": "^[\\p{L}_][\\p{L}\\p{N}_-]*$" }, "additionalProperties": { "type": "object", "additionalProperties": false, "description": "Unsubscribes a lead from a campaign. The service cannot undo it: if you remove the declaration, it is only forgotten.", "required": [], "properties": { "campaign_id": { "description": "Campaign to unsubscribe the lead from.", "examples": ["cam_000001"], "type": "string" }, "campaign": { "type": "string", "description": "Name of a block under data.campaign, instead of the id." }, "campaigns": { "type": ["string", "array"], "description": "Fan-out over campaigns: the name of a block under data.campaigns, or a list of names under data.campaign.", "items": { "type": "string" } }, "email": { "description": "Email address of the lead. Case does not matter.", "examples": ["ada@example.com"], "type": "string" }, "emails": { "type": "array", "description": "Email addresses of the leads. Case does not matter, and duplicates count once.", "items": { "type": "string" }, "examples": [["ada@example.com"]] }, "emails_from": { "type": "string", "minLength": 1, "description": "File with more addresses, in the configuration's folder or below it: one address per line, or a CSV with an email column. At most 50 MB.", "examples": ["suppressions/2026-11.csv"] }, "on_not_found": { "description": "Result if the campaign has no such lead. `warn` (default) records it as done with a warning, `ignore` without one. `error` fails. `retry` fails, and every apply tries again until the lead exists.", "default": "warn", "anyOf": [{ "enum": ["warn", "ignore", "error", "retry"] }, { "type": "string" }] }, "allow_empty": { "type": "boolean", "default": false, "description": "Whether to allow an empty list or filter. Otherwise it is an error." }, "prune": { "type": "boolean", "default": false, "description": "Whether to delete the webhooks of a campaign that leaves the filter. Otherwise outreach keeps them, with a note." } } } }, "imports": { "type": "array", "description": "Existing objects of the service to manage. An object that is already in the state stays as it is.", "items": { "type": "object", "additionalProperties": false, "required": ["to", "id"], "properties": { "to": { "type": "string", "minLength": 1, "description": "Address that declares the object.", "examples": ["outreach_webhook.crm-replies"] }, "id": { "type": "string", "minLength": 1, "description": "Id of the webhook, or CAMPAIGN_ID/EMAIL of an unsubscription that is already done.", "examples": ["hoo_000001"] } } } }, "moved": { "type": "array", "description": "Blocks and instances with a new address. The state keeps their objects, at the new address.", "items": { "type": "object", "additionalProperties": false, "required": ["from", "to"], "properties": { "from": { "type": "string", "minLength": 1, "description": "Old address of a block or an instance.", "examples": ["outreach_webhook.crm"] }, "to": { "type": "string", "minLength": 1, "description": "New address.", "examples": ["outreach_webhook.crm-replies"] } } } }, "removed": { "type": "array", "description": "Blocks that you no longer declare, and whether to delete their objects.", "items": { "type": "object", "additionalProperties": false, "required": ["from"], "properties": { "from": { "type": "string", "minLength": 1, "description": "Address of the block. It includes all instances.", "examples": ["outreach_webhook.audit"] }, "destroy": { "type": "boolean", "default": true, "description": "Whether to delete the objects in the service. If false, outreach only forgets them." } } } }, "outputs": { "type": "object", "description": "Values to show after an apply. The state stores them for outreach output.", "propertyNames": { "pattern": "^[\\p{L}_][\\p{L}\\p{N}_-]*$" }, "additionalProperties": { "type": ["string", "number", "boolean", "array", "object"], "description": "Expression, or a map with value, sensitive and description.", "items": { "type": ["string", "number", "boolean"] }, "additionalProperties": false, "properties": { "value": { "type": ["string", "number", "boolean", "array"], "items": { "type": ["string", "number", "boolean"] }, "description": "Value to show.", "examples": ["${data.outreach_campaign.q3.id}"] }, "sensitive": { "type": "boolean", "default": false, "description": "Whether to mask it in the list of all outputs. A value from a sensitive variable is always masked." }, "description": { "type": "string", "description": "Purpose, for readers." } }, "examples": ["${data.outreach_campaign.q3.id}"] } }, "limits": { "type": "object", "additionalProperties": false, "description": "Limits of one apply. A plan that exceeds a limit fails, and names the flag that allows it.", "properties": { "delete": { "type": ["integer", "string"], "minimum": 0, "pattern": "^(100|[1-9]?[0-9])%$", "description": "Maximum deletes, as a number or a percentage of the managed webhooks. Default: a plan fails if it deletes more than 3 and more than 30%.", "examples": ["30%"] }, "replace": { "type": ["integer", "string"], "minimum": 0, "pattern": "^(100|[1-9]?[0-9])%$", "description": "Maximum webhooks to replace for another reason than a new secret, as a number or a percentage. Default: a plan fails if it replaces more than 3 and more than 30%.", "examples": ["30%"] }, "recreate": { "type": ["integer", "string"], "minimum": 0, "pattern": "^(100|[1-9]?[0-9])%$", "description": "Maximum missing webhooks to create again, as a number or a percentage. Default: a plan fails if more than 3 and more than 20% are missing.", "examples": ["20%"] }, "unsubscribe": { "type": ["integer", "string"], "minimum": 0, "pattern": "^(100|[1-9]?[0-9])%$", "description": "Maximum unsubscriptions of a plan that nobody approves by typing yes: with --auto-approve, and of a saved plan.", "examples": [50], "default": 100 } } } }, "$defs": { "secret": { "description": "Source of a secret. The configuration never contains the secret.", "type": "object", "additionalProperties": false, "minProperties": 1, "not": { "anyOf": [{ "required": ["env", "file"] }, { "required": ["env", "command"] }, { "required": ["file", "command"] }] }, "properties": { "env": { "type": "string", "minLength": 1, "description": "Name of an environment variable, as in HOOK_SECRET or HOOK_SECRET_${var.stage}. Its value is used unchanged." }, "file": { "type": "string", "minLength": 1, "description": "File in the configuration's folder, or below it, as in secrets/${var.stage}/hook. One final newline is stripped." }, "command": { "type": "array", "minItems": 1, "items": { "type": "string" }, "description": "Program and its arguments. One final newline of its output is stripped." } } } } };
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
          if (!(key3 === "backend" || key3 === "path")) {
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
          if (!(data10 === "local")) {
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
      } else {
        const err27 = { instancePath: instancePath + "/state", schemaPath: "#/properties/state/type", keyword: "type", params: { type: "object" }, message: "must be object", schema: schema31.properties.state.type, parentSchema: schema31.properties.state, data: data9 };
        if (vErrors === null) {
          vErrors = [err27];
        } else {
          vErrors.push(err27);
        }
        errors++;
      }
    }
    if (data.variables !== void 0) {
      let data12 = data.variables;
      if (data12 && typeof data12 == "object" && !Array.isArray(data12)) {
        for (const key4 in data12) {
          const _errs36 = errors;
          if (typeof key4 === "string") {
            if (!pattern5.test(key4)) {
              const err28 = { instancePath: instancePath + "/variables", schemaPath: "#/properties/variables/propertyNames/pattern", keyword: "pattern", params: { pattern: "^[\\p{L}_][\\p{L}\\p{N}_-]*$" }, message: 'must match pattern "^[\\p{L}_][\\p{L}\\p{N}_-]*$"', schema: "^[\\p{L}_][\\p{L}\\p{N}_-]*$", parentSchema: schema31.properties.variables.propertyNames, data: key4, propertyName: key4 };
              if (vErrors === null) {
                vErrors = [err28];
              } else {
                vErrors.push(err28);
              }
              errors++;
            }
          }
          var valid9 = _errs36 === errors;
          if (!valid9) {
            const err29 = { instancePath: instancePath + "/variables", schemaPath: "#/properties/variables/propertyNames", keyword: "propertyNames", params: { propertyName: key4 }, message: "property name must be valid", schema: schema31.properties.variables.propertyNames, parentSchema: schema31.properties.variables, data: data12 };
            if (vErrors === null) {
              vErrors = [err29];
            } else {
              vErrors.push(err29);
            }
            errors++;
          }
        }
        for (const key5 in data12) {
          let data13 = data12[key5];
          if (!(data13 && typeof data13 == "object" && !Array.isArray(data13)) && data13 !== null) {
            const err30 = { instancePath: instancePath + "/variables/" + key5.replace(/~/g, "~0").replace(/\//g, "~1"), schemaPath: "#/properties/variables/additionalProperties/type", keyword: "type", params: { type: schema31.properties.variables.additionalProperties.type }, message: "must be object,null", schema: schema31.properties.variables.additionalProperties.type, parentSchema: schema31.properties.variables.additionalProperties, data: data13 };
            if (vErrors === null) {
              vErrors = [err30];
            } else {
              vErrors.push(err30);
            }
            errors++;
          }
          if (data13 && typeof data13 == "object" && !Array.isArray(data13)) {
            for (const key6 in data13) {
              if (!(key6 === "default" || key6 === "allowed" || key6 === "sensitive" || key6 === "description")) {
                const err31 = { instancePath: instancePath + "/variables/" + key5.replace(/~/g, "~0").replace(/\//g, "~1"), schemaPath: "#/properties/variables/additionalProperties/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key6 }, message: "must NOT have additional properties", schema: false, parentSchema: schema31.properties.variables.additionalProperties, data: data13 };
                if (vErrors === null) {
                  vErrors = [err31];
                } else {
                  vErrors.push(err31);
                }
                errors++;
              }
            }
            if (data13.default !== void 0) {
              let data14 = data13.default;
              if (typeof data14 !== "string" && !(typeof data14 == "number" && isFinite(data14)) && typeof data14 !== "boolean") {
                const err32 = { instancePath: instancePath + "/variables/" + key5.replace(/~/g, "~0").replace(/\//g, "~1") + "/default", schemaPath: "#/properties/variables/additionalProperties/properties/default/type", keyword: "type", params: { type: schema31.properties.variables.additionalProperties.properties.default.type }, message: "must be string,number,boolean", schema: schema31.properties.variables.additionalProperties.properties.default.type, parentSchema: schema31.properties.variables.additionalProperties.properties.default, data: data14 };
                if (vErrors === null) {
                  vErrors = [err32];
                } else {
                  vErrors.push(err32);
                }
                errors++;
              }
            }
            if (data13.allowed !== void 0) {
              let data15 = data13.allowed;
              if (Array.isArray(data15)) {
                if (data15.length < 1) {
                  const err33 = { instancePath: instancePath + "/variables/" + key5.replace(/~/g, "~0").replace(/\//g, "~1") + "/allowed", schemaPath: "#/properties/variables/additionalProperties/properties/allowed/minItems", keyword: "minItems", params: { limit: 1 }, message: "must NOT have fewer than 1 items", schema: 1, parentSchema: schema31.properties.variables.additionalProperties.properties.allowed, data: data15 };
                  if (vErrors === null) {
                    vErrors = [err33];
                  } else {
                    vErrors.push(err33);
                  }
                  errors++;
                }
                const len1 = data15.length;
                for (let i1 = 0; i1 < len1; i1++) {
                  let data16 = data15[i1];
                  if (typeof data16 !== "string" && !(typeof data16 == "number" && isFinite(data16)) && typeof data16 !== "boolean") {
                    const err34 = { instancePath: instancePath + "/variables/" + key5.replace(/~/g, "~0").replace(/\//g, "~1") + "/allowed/" + i1, schemaPath: "#/properties/variables/additionalProperties/properties/allowed/items/type", keyword: "type", params: { type: schema31.properties.variables.additionalProperties.properties.allowed.items.type }, message: "must be string,number,boolean", schema: schema31.properties.variables.additionalProperties.properties.allowed.items.type, parentSchema: schema31.properties.variables.additionalProperties.properties.allowed.items, data: data16 };
                    if (vErrors === null) {
                      vErrors = [err34];
                    } else {
                      vErrors.push(err34);
                    }
                    errors++;
                  }
                }
              } else {
                const err35 = { instancePath: instancePath + "/variables/" + key5.replace(/~/g, "~0").replace(/\//g, "~1") + "/allowed", schemaPath: "#/properties/variables/additionalProperties/properties/allowed/type", keyword: "type", params: { type: "array" }, message: "must be array", schema: schema31.properties.variables.additionalProperties.properties.allowed.type, parentSchema: schema31.properties.variables.additionalProperties.properties.allowed, data: data15 };
                if (vErrors === null) {
                  vErrors = [err35];
                } else {
                  vErrors.push(err35);
                }
                errors++;
              }
            }
            if (data13.sensitive !== void 0) {
              let data17 = data13.sensitive;
              if (typeof data17 !== "boolean") {
                const err36 = { instancePath: instancePath + "/variables/" + key5.replace(/~/g, "~0").replace(/\//g, "~1") + "/sensitive", schemaPath: "#/properties/variables/additionalProperties/properties/sensitive/type", keyword: "type", params: { type: "boolean" }, message: "must be boolean", schema: schema31.properties.variables.additionalProperties.properties.sensitive.type, parentSchema: schema31.properties.variables.additionalProperties.properties.sensitive, data: data17 };
                if (vErrors === null) {
                  vErrors = [err36];
                } else {
                  vErrors.push(err36);
                }
                errors++;
              }
            }
            if (data13.description !== void 0) {
              let data18 = data13.description;
              if (typeof data18 !== "string") {
                const err37 = { instancePath: instancePath + "/variables/" + key5.replace(/~/g, "~0").replace(/\//g, "~1") + "/description", schemaPath: "#/properties/variables/additionalProperties/properties/description/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema31.properties.variables.additionalProperties.properties.description.type, parentSchema: schema31.properties.variables.additionalProperties.properties.description, data: data18 };
                if (vErrors === null) {
                  vErrors = [err37];
                } else {
                  vErrors.push(err37);
                }
                errors++;
              }
            }
          }
        }
      } else {
        const err38 = { instancePath: instancePath + "/variables", schemaPath: "#/properties/variables/type", keyword: "type", params: { type: "object" }, message: "must be object", schema: schema31.properties.variables.type, parentSchema: schema31.properties.variables, data: data12 };
        if (vErrors === null) {
          vErrors = [err38];
        } else {
          vErrors.push(err38);
        }
        errors++;
      }
    }
    if (data.data !== void 0) {
      let data19 = data.data;
      if (data19 && typeof data19 == "object" && !Array.isArray(data19)) {
        for (const key7 in data19) {
          if (!(key7 === "campaign" || key7 === "campaigns" || key7 === "schedules" || key7 === "warmup_settings" || key7 === "webhooks")) {
            const err39 = { instancePath: instancePath + "/data", schemaPath: "#/properties/data/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key7 }, message: "must NOT have additional properties", schema: false, parentSchema: schema31.properties.data, data: data19 };
            if (vErrors === null) {
              vErrors = [err39];
            } else {
              vErrors.push(err39);
            }
            errors++;
          }
        }
        if (data19.campaign !== void 0) {
          let data20 = data19.campaign;
          if (data20 && typeof data20 == "object" && !Array.isArray(data20)) {
            for (const key8 in data20) {
              const _errs56 = errors;
              if (typeof key8 === "string") {
                if (!pattern5.test(key8)) {
                  const err40 = { instancePath: instancePath + "/data/campaign", schemaPath: "#/properties/data/properties/campaign/propertyNames/pattern", keyword: "pattern", params: { pattern: "^[\\p{L}_][\\p{L}\\p{N}_-]*$" }, message: 'must match pattern "^[\\p{L}_][\\p{L}\\p{N}_-]*$"', schema: "^[\\p{L}_][\\p{L}\\p{N}_-]*$", parentSchema: schema31.properties.data.properties.campaign.propertyNames, data: key8, propertyName: key8 };
                  if (vErrors === null) {
                    vErrors = [err40];
                  } else {
                    vErrors.push(err40);
                  }
                  errors++;
                }
              }
              var valid15 = _errs56 === errors;
              if (!valid15) {
                const err41 = { instancePath: instancePath + "/data/campaign", schemaPath: "#/properties/data/properties/campaign/propertyNames", keyword: "propertyNames", params: { propertyName: key8 }, message: "property name must be valid", schema: schema31.properties.data.properties.campaign.propertyNames, parentSchema: schema31.properties.data.properties.campaign, data: data20 };
                if (vErrors === null) {
                  vErrors = [err41];
                } else {
                  vErrors.push(err41);
                }
                errors++;
              }
            }
            for (const key9 in data20) {
              let data21 = data20[key9];
              if (data21 && typeof data21 == "object" && !Array.isArray(data21)) {
                for (const key10 in data21) {
                  if (!(key10 === "id" || key10 === "name" || key10 === "status")) {
                    const err42 = { instancePath: instancePath + "/data/campaign/" + key9.replace(/~/g, "~0").replace(/\//g, "~1"), schemaPath: "#/properties/data/properties/campaign/additionalProperties/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key10 }, message: "must NOT have additional properties", schema: false, parentSchema: schema31.properties.data.properties.campaign.additionalProperties, data: data21 };
                    if (vErrors === null) {
                      vErrors = [err42];
                    } else {
                      vErrors.push(err42);
                    }
                    errors++;
                  }
                }
                if (data21.id !== void 0) {
                  let data22 = data21.id;
                  if (typeof data22 !== "string") {
                    const err43 = { instancePath: instancePath + "/data/campaign/" + key9.replace(/~/g, "~0").replace(/\//g, "~1") + "/id", schemaPath: "#/properties/data/properties/campaign/additionalProperties/properties/id/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema31.properties.data.properties.campaign.additionalProperties.properties.id.type, parentSchema: schema31.properties.data.properties.campaign.additionalProperties.properties.id, data: data22 };
                    if (vErrors === null) {
                      vErrors = [err43];
                    } else {
                      vErrors.push(err43);
                    }
                    errors++;
                  }
                }
                if (data21.name !== void 0) {
                  let data23 = data21.name;
                  if (typeof data23 !== "string") {
                    const err44 = { instancePath: instancePath + "/data/campaign/" + key9.replace(/~/g, "~0").replace(/\//g, "~1") + "/name", schemaPath: "#/properties/data/properties/campaign/additionalProperties/properties/name/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema31.properties.data.properties.campaign.additionalProperties.properties.name.type, parentSchema: schema31.properties.data.properties.campaign.additionalProperties.properties.name, data: data23 };
                    if (vErrors === null) {
                      vErrors = [err44];
                    } else {
                      vErrors.push(err44);
                    }
                    errors++;
                  }
                }
                if (data21.status !== void 0) {
                  let data24 = data21.status;
                  const _errs66 = errors;
                  let valid18 = false;
                  const _errs67 = errors;
                  if (!(data24 === "running" || data24 === "paused" || data24 === "draft" || data24 === "ended" || data24 === "archived" || data24 === "errors")) {
                    const err45 = { instancePath: instancePath + "/data/campaign/" + key9.replace(/~/g, "~0").replace(/\//g, "~1") + "/status", schemaPath: "#/properties/data/properties/campaign/additionalProperties/properties/status/anyOf/0/enum", keyword: "enum", params: { allowedValues: schema31.properties.data.properties.campaign.additionalProperties.properties.status.anyOf[0].enum }, message: "must be equal to one of the allowed values", schema: schema31.properties.data.properties.campaign.additionalProperties.properties.status.anyOf[0].enum, parentSchema: schema31.properties.data.properties.campaign.additionalProperties.properties.status.anyOf[0], data: data24 };
                    if (vErrors === null) {
                      vErrors = [err45];
                    } else {
                      vErrors.push(err45);
                    }
                    errors++;
                  }
                  var _valid1 = _errs67 === errors;
                  valid18 = valid18 || _valid1;
                  const _errs68 = errors;
                  if (typeof data24 !== "string") {
                    const err46 = { instancePath: instancePath + "/data/campaign/" + key9.replace(/~/g, "~0").replace(/\//g, "~1") + "/status", schemaPath: "#/properties/data/properties/campaign/additionalProperties/properties/status/anyOf/1/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema31.properties.data.properties.campaign.additionalProperties.properties.status.anyOf[1].type, parentSchema: schema31.properties.data.properties.campaign.additionalProperties.properties.status.anyOf[1], data: data24 };
                    if (vErrors === null) {
                      vErrors = [err46];
                    } else {
                      vErrors.push(err46);
                    }
                    errors++;
                  }
                  var _valid1 = _errs68 === errors;
                  valid18 = valid18 || _valid1;
                  if (!valid18) {
                    const err47 = { instancePath: instancePath + "/data/campaign/" + key9.replace(/~/g, "~0").replace(/\//g, "~1") + "/status", schemaPath: "#/properties/data/properties/campaign/additionalProperties/properties/status/anyOf", keyword: "anyOf", params: {}, message: "must match a schema in anyOf", schema: schema31.properties.data.properties.campaign.additionalProperties.properties.status.anyOf, parentSchema: schema31.properties.data.properties.campaign.additionalProperties.properties.status, data: data24 };
                    if (vErrors === null) {
                      vErrors = [err47];
                    } else {
                      vErrors.push(err47);
                    }
                    errors++;
                  } else {
                    errors = _errs66;
                    if (vErrors !== null) {
                      if (_errs66) {
                        vErrors.length = _errs66;
                      } else {
                        vErrors = null;
                      }
                    }
                  }
                }
              } else {
                const err48 = { instancePath: instancePath + "/data/campaign/" + key9.replace(/~/g, "~0").replace(/\//g, "~1"), schemaPath: "#/properties/data/properties/campaign/additionalProperties/type", keyword: "type", params: { type: "object" }, message: "must be object", schema: schema31.properties.data.properties.campaign.additionalProperties.type, parentSchema: schema31.properties.data.properties.campaign.additionalProperties, data: data21 };
                if (vErrors === null) {
                  vErrors = [err48];
                } else {
                  vErrors.push(err48);
                }
                errors++;
              }
            }
          } else {
            const err49 = { instancePath: instancePath + "/data/campaign", schemaPath: "#/properties/data/properties/campaign/type", keyword: "type", params: { type: "object" }, message: "must be object", schema: schema31.properties.data.properties.campaign.type, parentSchema: schema31.properties.data.properties.campaign, data: data20 };
            if (vErrors === null) {
              vErrors = [err49];
            } else {
              vErrors.push(err49);
            }
            errors++;
          }
        }
        if (data19.campaigns !== void 0) {
          let data25 = data19.campaigns;
          if (data25 && typeof data25 == "object" && !Array.isArray(data25)) {
            for (const key11 in data25) {
              const _errs72 = errors;
              if (typeof key11 === "string") {
                if (!pattern5.test(key11)) {
                  const err50 = { instancePath: instancePath + "/data/campaigns", schemaPath: "#/properties/data/properties/campaigns/propertyNames/pattern", keyword: "pattern", params: { pattern: "^[\\p{L}_][\\p{L}\\p{N}_-]*$" }, message: 'must match pattern "^[\\p{L}_][\\p{L}\\p{N}_-]*$"', schema: "^[\\p{L}_][\\p{L}\\p{N}_-]*$", parentSchema: schema31.properties.data.properties.campaigns.propertyNames, data: key11, propertyName: key11 };
                  if (vErrors === null) {
                    vErrors = [err50];
                  } else {
                    vErrors.push(err50);
                  }
                  errors++;
                }
              }
              var valid19 = _errs72 === errors;
              if (!valid19) {
                const err51 = { instancePath: instancePath + "/data/campaigns", schemaPath: "#/properties/data/properties/campaigns/propertyNames", keyword: "propertyNames", params: { propertyName: key11 }, message: "property name must be valid", schema: schema31.properties.data.properties.campaigns.propertyNames, parentSchema: schema31.properties.data.properties.campaigns, data: data25 };
                if (vErrors === null) {
                  vErrors = [err51];
                } else {
                  vErrors.push(err51);
                }
                errors++;
              }
            }
            for (const key12 in data25) {
              let data26 = data25[key12];
              if (data26 && typeof data26 == "object" && !Array.isArray(data26)) {
                for (const key13 in data26) {
                  if (!(key13 === "status" || key13 === "created_by" || key13 === "labels" || key13 === "name_regex" || key13 === "sort_order")) {
                    const err52 = { instancePath: instancePath + "/data/campaigns/" + key12.replace(/~/g, "~0").replace(/\//g, "~1"), schemaPath: "#/properties/data/properties/campaigns/additionalProperties/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key13 }, message: "must NOT have additional properties", schema: false, parentSchema: schema31.properties.data.properties.campaigns.additionalProperties, data: data26 };
                    if (vErrors === null) {
                      vErrors = [err52];
                    } else {
                      vErrors.push(err52);
                    }
                    errors++;
                  }
                }
                if (data26.status !== void 0) {
                  let data27 = data26.status;
                  const _errs78 = errors;
                  let valid22 = false;
                  const _errs79 = errors;
                  if (!(data27 === "running" || data27 === "paused" || data27 === "draft" || data27 === "ended" || data27 === "archived" || data27 === "errors")) {
                    const err53 = { instancePath: instancePath + "/data/campaigns/" + key12.replace(/~/g, "~0").replace(/\//g, "~1") + "/status", schemaPath: "#/properties/data/properties/campaigns/additionalProperties/properties/status/anyOf/0/enum", keyword: "enum", params: { allowedValues: schema31.properties.data.properties.campaigns.additionalProperties.properties.status.anyOf[0].enum }, message: "must be equal to one of the allowed values", schema: schema31.properties.data.properties.campaigns.additionalProperties.properties.status.anyOf[0].enum, parentSchema: schema31.properties.data.properties.campaigns.additionalProperties.properties.status.anyOf[0], data: data27 };
                    if (vErrors === null) {
                      vErrors = [err53];
                    } else {
                      vErrors.push(err53);
                    }
                    errors++;
                  }
                  var _valid2 = _errs79 === errors;
                  valid22 = valid22 || _valid2;
                  const _errs80 = errors;
                  if (typeof data27 !== "string") {
                    const err54 = { instancePath: instancePath + "/data/campaigns/" + key12.replace(/~/g, "~0").replace(/\//g, "~1") + "/status", schemaPath: "#/properties/data/properties/campaigns/additionalProperties/properties/status/anyOf/1/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema31.properties.data.properties.campaigns.additionalProperties.properties.status.anyOf[1].type, parentSchema: schema31.properties.data.properties.campaigns.additionalProperties.properties.status.anyOf[1], data: data27 };
                    if (vErrors === null) {
                      vErrors = [err54];
                    } else {
                      vErrors.push(err54);
                    }
                    errors++;
                  }
                  var _valid2 = _errs80 === errors;
                  valid22 = valid22 || _valid2;
                  if (!valid22) {
                    const err55 = { instancePath: instancePath + "/data/campaigns/" + key12.replace(/~/g, "~0").replace(/\//g, "~1") + "/status", schemaPath: "#/properties/data/properties/campaigns/additionalProperties/properties/status/anyOf", keyword: "anyOf", params: {}, message: "must match a schema in anyOf", schema: schema31.properties.data.properties.campaigns.additionalProperties.properties.status.anyOf, parentSchema: schema31.properties.data.properties.campaigns.additionalProperties.properties.status, data: data27 };
                    if (vErrors === null) {
                      vErrors = [err55];
                    } else {
                      vErrors.push(err55);
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
                }
                if (data26.created_by !== void 0) {
                  let data28 = data26.created_by;
                  if (typeof data28 !== "string") {
                    const err56 = { instancePath: instancePath + "/data/campaigns/" + key12.replace(/~/g, "~0").replace(/\//g, "~1") + "/created_by", schemaPath: "#/properties/data/properties/campaigns/additionalProperties/properties/created_by/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema31.properties.data.properties.campaigns.additionalProperties.properties.created_by.type, parentSchema: schema31.properties.data.properties.campaigns.additionalProperties.properties.created_by, data: data28 };
                    if (vErrors === null) {
                      vErrors = [err56];
                    } else {
                      vErrors.push(err56);
                    }
                    errors++;
                  }
                }
                if (data26.labels !== void 0) {
                  let data29 = data26.labels;
                  if (Array.isArray(data29)) {
                    const len2 = data29.length;
                    for (let i2 = 0; i2 < len2; i2++) {
                      let data30 = data29[i2];
                      if (typeof data30 !== "string") {
                        const err57 = { instancePath: instancePath + "/data/campaigns/" + key12.replace(/~/g, "~0").replace(/\//g, "~1") + "/labels/" + i2, schemaPath: "#/properties/data/properties/campaigns/additionalProperties/properties/labels/items/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema31.properties.data.properties.campaigns.additionalProperties.properties.labels.items.type, parentSchema: schema31.properties.data.properties.campaigns.additionalProperties.properties.labels.items, data: data30 };
                        if (vErrors === null) {
                          vErrors = [err57];
                        } else {
                          vErrors.push(err57);
                        }
                        errors++;
                      }
                    }
                  } else {
                    const err58 = { instancePath: instancePath + "/data/campaigns/" + key12.replace(/~/g, "~0").replace(/\//g, "~1") + "/labels", schemaPath: "#/properties/data/properties/campaigns/additionalProperties/properties/labels/type", keyword: "type", params: { type: "array" }, message: "must be array", schema: schema31.properties.data.properties.campaigns.additionalProperties.properties.labels.type, parentSchema: schema31.properties.data.properties.campaigns.additionalProperties.properties.labels, data: data29 };
                    if (vErrors === null) {
                      vErrors = [err58];
                    } else {
                      vErrors.push(err58);
                    }
                    errors++;
                  }
                }
                if (data26.name_regex !== void 0) {
                  let data31 = data26.name_regex;
                  if (typeof data31 !== "string") {
                    const err59 = { instancePath: instancePath + "/data/campaigns/" + key12.replace(/~/g, "~0").replace(/\//g, "~1") + "/name_regex", schemaPath: "#/properties/data/properties/campaigns/additionalProperties/properties/name_regex/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema31.properties.data.properties.campaigns.additionalProperties.properties.name_regex.type, parentSchema: schema31.properties.data.properties.campaigns.additionalProperties.properties.name_regex, data: data31 };
                    if (vErrors === null) {
                      vErrors = [err59];
                    } else {
                      vErrors.push(err59);
                    }
                    errors++;
                  }
                }
                if (data26.sort_order !== void 0) {
                  let data32 = data26.sort_order;
                  const _errs91 = errors;
                  let valid25 = false;
                  const _errs92 = errors;
                  if (!(data32 === "asc" || data32 === "desc")) {
                    const err60 = { instancePath: instancePath + "/data/campaigns/" + key12.replace(/~/g, "~0").replace(/\//g, "~1") + "/sort_order", schemaPath: "#/properties/data/properties/campaigns/additionalProperties/properties/sort_order/anyOf/0/enum", keyword: "enum", params: { allowedValues: schema31.properties.data.properties.campaigns.additionalProperties.properties.sort_order.anyOf[0].enum }, message: "must be equal to one of the allowed values", schema: schema31.properties.data.properties.campaigns.additionalProperties.properties.sort_order.anyOf[0].enum, parentSchema: schema31.properties.data.properties.campaigns.additionalProperties.properties.sort_order.anyOf[0], data: data32 };
                    if (vErrors === null) {
                      vErrors = [err60];
                    } else {
                      vErrors.push(err60);
                    }
                    errors++;
                  }
                  var _valid3 = _errs92 === errors;
                  valid25 = valid25 || _valid3;
                  const _errs93 = errors;
                  if (typeof data32 !== "string") {
                    const err61 = { instancePath: instancePath + "/data/campaigns/" + key12.replace(/~/g, "~0").replace(/\//g, "~1") + "/sort_order", schemaPath: "#/properties/data/properties/campaigns/additionalProperties/properties/sort_order/anyOf/1/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema31.properties.data.properties.campaigns.additionalProperties.properties.sort_order.anyOf[1].type, parentSchema: schema31.properties.data.properties.campaigns.additionalProperties.properties.sort_order.anyOf[1], data: data32 };
                    if (vErrors === null) {
                      vErrors = [err61];
                    } else {
                      vErrors.push(err61);
                    }
                    errors++;
                  }
                  var _valid3 = _errs93 === errors;
                  valid25 = valid25 || _valid3;
                  if (!valid25) {
                    const err62 = { instancePath: instancePath + "/data/campaigns/" + key12.replace(/~/g, "~0").replace(/\//g, "~1") + "/sort_order", schemaPath: "#/properties/data/properties/campaigns/additionalProperties/properties/sort_order/anyOf", keyword: "anyOf", params: {}, message: "must match a schema in anyOf", schema: schema31.properties.data.properties.campaigns.additionalProperties.properties.sort_order.anyOf, parentSchema: schema31.properties.data.properties.campaigns.additionalProperties.properties.sort_order, data: data32 };
                    if (vErrors === null) {
                      vErrors = [err62];
                    } else {
                      vErrors.push(err62);
                    }
                    errors++;
                  } else {
                    errors = _errs91;
                    if (vErrors !== null) {
                      if (_errs91) {
                        vErrors.length = _errs91;
                      } else {
                        vErrors = null;
                      }
                    }
                  }
                }
              } else {
                const err63 = { instancePath: instancePath + "/data/campaigns/" + key12.replace(/~/g, "~0").replace(/\//g, "~1"), schemaPath: "#/properties/data/properties/campaigns/additionalProperties/type", keyword: "type", params: { type: "object" }, message: "must be object", schema: schema31.properties.data.properties.campaigns.additionalProperties.type, parentSchema: schema31.properties.data.properties.campaigns.additionalProperties, data: data26 };
                if (vErrors === null) {
                  vErrors = [err63];
                } else {
                  vErrors.push(err63);
                }
                errors++;
              }
            }
          } else {
            const err64 = { instancePath: instancePath + "/data/campaigns", schemaPath: "#/properties/data/properties/campaigns/type", keyword: "type", params: { type: "object" }, message: "must be object", schema: schema31.properties.data.properties.campaigns.type, parentSchema: schema31.properties.data.properties.campaigns, data: data25 };
            if (vErrors === null) {
              vErrors = [err64];
            } else {
              vErrors.push(err64);
            }
            errors++;
          }
        }
        if (data19.schedules !== void 0) {
          let data33 = data19.schedules;
          if (data33 && typeof data33 == "object" && !Array.isArray(data33)) {
            for (const key14 in data33) {
              const _errs97 = errors;
              if (typeof key14 === "string") {
                if (!pattern5.test(key14)) {
                  const err65 = { instancePath: instancePath + "/data/schedules", schemaPath: "#/properties/data/properties/schedules/propertyNames/pattern", keyword: "pattern", params: { pattern: "^[\\p{L}_][\\p{L}\\p{N}_-]*$" }, message: 'must match pattern "^[\\p{L}_][\\p{L}\\p{N}_-]*$"', schema: "^[\\p{L}_][\\p{L}\\p{N}_-]*$", parentSchema: schema31.properties.data.properties.schedules.propertyNames, data: key14, propertyName: key14 };
                  if (vErrors === null) {
                    vErrors = [err65];
                  } else {
                    vErrors.push(err65);
                  }
                  errors++;
                }
              }
              var valid26 = _errs97 === errors;
              if (!valid26) {
                const err66 = { instancePath: instancePath + "/data/schedules", schemaPath: "#/properties/data/properties/schedules/propertyNames", keyword: "propertyNames", params: { propertyName: key14 }, message: "property name must be valid", schema: schema31.properties.data.properties.schedules.propertyNames, parentSchema: schema31.properties.data.properties.schedules, data: data33 };
                if (vErrors === null) {
                  vErrors = [err66];
                } else {
                  vErrors.push(err66);
                }
                errors++;
              }
            }
            for (const key15 in data33) {
              let data34 = data33[key15];
              if (data34 && typeof data34 == "object" && !Array.isArray(data34)) {
                for (const key16 in data34) {
                  if (!(key16 === "campaign_id" || key16 === "campaign")) {
                    const err67 = { instancePath: instancePath + "/data/schedules/" + key15.replace(/~/g, "~0").replace(/\//g, "~1"), schemaPath: "#/properties/data/properties/schedules/additionalProperties/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key16 }, message: "must NOT have additional properties", schema: false, parentSchema: schema31.properties.data.properties.schedules.additionalProperties, data: data34 };
                    if (vErrors === null) {
                      vErrors = [err67];
                    } else {
                      vErrors.push(err67);
                    }
                    errors++;
                  }
                }
                if (data34.campaign_id !== void 0) {
                  let data35 = data34.campaign_id;
                  if (typeof data35 !== "string") {
                    const err68 = { instancePath: instancePath + "/data/schedules/" + key15.replace(/~/g, "~0").replace(/\//g, "~1") + "/campaign_id", schemaPath: "#/properties/data/properties/schedules/additionalProperties/properties/campaign_id/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema31.properties.data.properties.schedules.additionalProperties.properties.campaign_id.type, parentSchema: schema31.properties.data.properties.schedules.additionalProperties.properties.campaign_id, data: data35 };
                    if (vErrors === null) {
                      vErrors = [err68];
                    } else {
                      vErrors.push(err68);
                    }
                    errors++;
                  }
                }
                if (data34.campaign !== void 0) {
                  let data36 = data34.campaign;
                  if (typeof data36 !== "string") {
                    const err69 = { instancePath: instancePath + "/data/schedules/" + key15.replace(/~/g, "~0").replace(/\//g, "~1") + "/campaign", schemaPath: "#/properties/data/properties/schedules/additionalProperties/properties/campaign/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema31.properties.data.properties.schedules.additionalProperties.properties.campaign.type, parentSchema: schema31.properties.data.properties.schedules.additionalProperties.properties.campaign, data: data36 };
                    if (vErrors === null) {
                      vErrors = [err69];
                    } else {
                      vErrors.push(err69);
                    }
                    errors++;
                  }
                }
              } else {
                const err70 = { instancePath: instancePath + "/data/schedules/" + key15.replace(/~/g, "~0").replace(/\//g, "~1"), schemaPath: "#/properties/data/properties/schedules/additionalProperties/type", keyword: "type", params: { type: "object" }, message: "must be object", schema: schema31.properties.data.properties.schedules.additionalProperties.type, parentSchema: schema31.properties.data.properties.schedules.additionalProperties, data: data34 };
                if (vErrors === null) {
                  vErrors = [err70];
                } else {
                  vErrors.push(err70);
                }
                errors++;
              }
            }
          } else {
            const err71 = { instancePath: instancePath + "/data/schedules", schemaPath: "#/properties/data/properties/schedules/type", keyword: "type", params: { type: "object" }, message: "must be object", schema: schema31.properties.data.properties.schedules.type, parentSchema: schema31.properties.data.properties.schedules, data: data33 };
            if (vErrors === null) {
              vErrors = [err71];
            } else {
              vErrors.push(err71);
            }
            errors++;
          }
        }
        if (data19.warmup_settings !== void 0) {
          let data37 = data19.warmup_settings;
          if (data37 && typeof data37 == "object" && !Array.isArray(data37)) {
            for (const key17 in data37) {
              const _errs108 = errors;
              if (typeof key17 === "string") {
                if (!pattern5.test(key17)) {
                  const err72 = { instancePath: instancePath + "/data/warmup_settings", schemaPath: "#/properties/data/properties/warmup_settings/propertyNames/pattern", keyword: "pattern", params: { pattern: "^[\\p{L}_][\\p{L}\\p{N}_-]*$" }, message: 'must match pattern "^[\\p{L}_][\\p{L}\\p{N}_-]*$"', schema: "^[\\p{L}_][\\p{L}\\p{N}_-]*$", parentSchema: schema31.properties.data.properties.warmup_settings.propertyNames, data: key17, propertyName: key17 };
                  if (vErrors === null) {
                    vErrors = [err72];
                  } else {
                    vErrors.push(err72);
                  }
                  errors++;
                }
              }
              var valid29 = _errs108 === errors;
              if (!valid29) {
                const err73 = { instancePath: instancePath + "/data/warmup_settings", schemaPath: "#/properties/data/properties/warmup_settings/propertyNames", keyword: "propertyNames", params: { propertyName: key17 }, message: "property name must be valid", schema: schema31.properties.data.properties.warmup_settings.propertyNames, parentSchema: schema31.properties.data.properties.warmup_settings, data: data37 };
                if (vErrors === null) {
                  vErrors = [err73];
                } else {
                  vErrors.push(err73);
                }
                errors++;
              }
            }
            for (const key18 in data37) {
              let data38 = data37[key18];
              if (data38 && typeof data38 == "object" && !Array.isArray(data38)) {
                if (data38.user_mailbox_id === void 0) {
                  const err74 = { instancePath: instancePath + "/data/warmup_settings/" + key18.replace(/~/g, "~0").replace(/\//g, "~1"), schemaPath: "#/properties/data/properties/warmup_settings/additionalProperties/required", keyword: "required", params: { missingProperty: "user_mailbox_id" }, message: "must have required property 'user_mailbox_id'", schema: schema31.properties.data.properties.warmup_settings.additionalProperties.required, parentSchema: schema31.properties.data.properties.warmup_settings.additionalProperties, data: data38 };
                  if (vErrors === null) {
                    vErrors = [err74];
                  } else {
                    vErrors.push(err74);
                  }
                  errors++;
                }
                for (const key19 in data38) {
                  if (!(key19 === "user_mailbox_id")) {
                    const err75 = { instancePath: instancePath + "/data/warmup_settings/" + key18.replace(/~/g, "~0").replace(/\//g, "~1"), schemaPath: "#/properties/data/properties/warmup_settings/additionalProperties/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key19 }, message: "must NOT have additional properties", schema: false, parentSchema: schema31.properties.data.properties.warmup_settings.additionalProperties, data: data38 };
                    if (vErrors === null) {
                      vErrors = [err75];
                    } else {
                      vErrors.push(err75);
                    }
                    errors++;
                  }
                }
                if (data38.user_mailbox_id !== void 0) {
                  let data39 = data38.user_mailbox_id;
                  if (typeof data39 !== "string") {
                    const err76 = { instancePath: instancePath + "/data/warmup_settings/" + key18.replace(/~/g, "~0").replace(/\//g, "~1") + "/user_mailbox_id", schemaPath: "#/properties/data/properties/warmup_settings/additionalProperties/properties/user_mailbox_id/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema31.properties.data.properties.warmup_settings.additionalProperties.properties.user_mailbox_id.type, parentSchema: schema31.properties.data.properties.warmup_settings.additionalProperties.properties.user_mailbox_id, data: data39 };
                    if (vErrors === null) {
                      vErrors = [err76];
                    } else {
                      vErrors.push(err76);
                    }
                    errors++;
                  }
                }
              } else {
                const err77 = { instancePath: instancePath + "/data/warmup_settings/" + key18.replace(/~/g, "~0").replace(/\//g, "~1"), schemaPath: "#/properties/data/properties/warmup_settings/additionalProperties/type", keyword: "type", params: { type: "object" }, message: "must be object", schema: schema31.properties.data.properties.warmup_settings.additionalProperties.type, parentSchema: schema31.properties.data.properties.warmup_settings.additionalProperties, data: data38 };
                if (vErrors === null) {
                  vErrors = [err77];
                } else {
                  vErrors.push(err77);
                }
                errors++;
              }
            }
          } else {
            const err78 = { instancePath: instancePath + "/data/warmup_settings", schemaPath: "#/properties/data/properties/warmup_settings/type", keyword: "type", params: { type: "object" }, message: "must be object", schema: schema31.properties.data.properties.warmup_settings.type, parentSchema: schema31.properties.data.properties.warmup_settings, data: data37 };
            if (vErrors === null) {
              vErrors = [err78];
            } else {
              vErrors.push(err78);
            }
            errors++;
          }
        }
        if (data19.webhooks !== void 0) {
          let data40 = data19.webhooks;
          if (data40 && typeof data40 == "object" && !Array.isArray(data40)) {
            for (const key20 in data40) {
              const _errs117 = errors;
              if (typeof key20 === "string") {
                if (!pattern5.test(key20)) {
                  const err79 = { instancePath: instancePath + "/data/webhooks", schemaPath: "#/properties/data/properties/webhooks/propertyNames/pattern", keyword: "pattern", params: { pattern: "^[\\p{L}_][\\p{L}\\p{N}_-]*$" }, message: 'must match pattern "^[\\p{L}_][\\p{L}\\p{N}_-]*$"', schema: "^[\\p{L}_][\\p{L}\\p{N}_-]*$", parentSchema: schema31.properties.data.properties.webhooks.propertyNames, data: key20, propertyName: key20 };
                  if (vErrors === null) {
                    vErrors = [err79];
                  } else {
                    vErrors.push(err79);
                  }
                  errors++;
                }
              }
              var valid32 = _errs117 === errors;
              if (!valid32) {
                const err80 = { instancePath: instancePath + "/data/webhooks", schemaPath: "#/properties/data/properties/webhooks/propertyNames", keyword: "propertyNames", params: { propertyName: key20 }, message: "property name must be valid", schema: schema31.properties.data.properties.webhooks.propertyNames, parentSchema: schema31.properties.data.properties.webhooks, data: data40 };
                if (vErrors === null) {
                  vErrors = [err80];
                } else {
                  vErrors.push(err80);
                }
                errors++;
              }
            }
            for (const key21 in data40) {
              let data41 = data40[key21];
              if (data41 && typeof data41 == "object" && !Array.isArray(data41)) {
                for (const key22 in data41) {
                  const err81 = { instancePath: instancePath + "/data/webhooks/" + key21.replace(/~/g, "~0").replace(/\//g, "~1"), schemaPath: "#/properties/data/properties/webhooks/additionalProperties/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key22 }, message: "must NOT have additional properties", schema: false, parentSchema: schema31.properties.data.properties.webhooks.additionalProperties, data: data41 };
                  if (vErrors === null) {
                    vErrors = [err81];
                  } else {
                    vErrors.push(err81);
                  }
                  errors++;
                }
              } else {
                const err82 = { instancePath: instancePath + "/data/webhooks/" + key21.replace(/~/g, "~0").replace(/\//g, "~1"), schemaPath: "#/properties/data/properties/webhooks/additionalProperties/type", keyword: "type", params: { type: "object" }, message: "must be object", schema: schema31.properties.data.properties.webhooks.additionalProperties.type, parentSchema: schema31.properties.data.properties.webhooks.additionalProperties, data: data41 };
                if (vErrors === null) {
                  vErrors = [err82];
                } else {
                  vErrors.push(err82);
                }
                errors++;
              }
            }
          } else {
            const err83 = { instancePath: instancePath + "/data/webhooks", schemaPath: "#/properties/data/properties/webhooks/type", keyword: "type", params: { type: "object" }, message: "must be object", schema: schema31.properties.data.properties.webhooks.type, parentSchema: schema31.properties.data.properties.webhooks, data: data40 };
            if (vErrors === null) {
              vErrors = [err83];
            } else {
              vErrors.push(err83);
            }
            errors++;
          }
        }
      } else {
        const err84 = { instancePath: instancePath + "/data", schemaPath: "#/properties/data/type", keyword: "type", params: { type: "object" }, message: "must be object", schema: schema31.properties.data.type, parentSchema: schema31.properties.data, data: data19 };
        if (vErrors === null) {
          vErrors = [err84];
        } else {
          vErrors.push(err84);
        }
        errors++;
      }
    }
    if (data.webhooks !== void 0) {
      let data42 = data.webhooks;
      if (data42 && typeof data42 == "object" && !Array.isArray(data42)) {
        for (const key23 in data42) {
          const _errs124 = errors;
          if (typeof key23 === "string") {
            if (!pattern5.test(key23)) {
              const err85 = { instancePath: instancePath + "/webhooks", schemaPath: "#/properties/webhooks/propertyNames/pattern", keyword: "pattern", params: { pattern: "^[\\p{L}_][\\p{L}\\p{N}_-]*$" }, message: 'must match pattern "^[\\p{L}_][\\p{L}\\p{N}_-]*$"', schema: "^[\\p{L}_][\\p{L}\\p{N}_-]*$", parentSchema: schema31.properties.webhooks.propertyNames, data: key23, propertyName: key23 };
              if (vErrors === null) {
                vErrors = [err85];
              } else {
                vErrors.push(err85);
              }
              errors++;
            }
          }
          var valid34 = _errs124 === errors;
          if (!valid34) {
            const err86 = { instancePath: instancePath + "/webhooks", schemaPath: "#/properties/webhooks/propertyNames", keyword: "propertyNames", params: { propertyName: key23 }, message: "property name must be valid", schema: schema31.properties.webhooks.propertyNames, parentSchema: schema31.properties.webhooks, data: data42 };
            if (vErrors === null) {
              vErrors = [err86];
            } else {
              vErrors.push(err86);
            }
            errors++;
          }
        }
        for (const key24 in data42) {
          let data43 = data42[key24];
          if (data43 && typeof data43 == "object" && !Array.isArray(data43)) {
            if (data43.target_url === void 0) {
              const err87 = { instancePath: instancePath + "/webhooks/" + key24.replace(/~/g, "~0").replace(/\//g, "~1"), schemaPath: "#/properties/webhooks/additionalProperties/required", keyword: "required", params: { missingProperty: "target_url" }, message: "must have required property 'target_url'", schema: schema31.properties.webhooks.additionalProperties.required, parentSchema: schema31.properties.webhooks.additionalProperties, data: data43 };
              if (vErrors === null) {
                vErrors = [err87];
              } else {
                vErrors.push(err87);
              }
              errors++;
            }
            for (const key25 in data43) {
              if (!func1.call(schema31.properties.webhooks.additionalProperties.properties, key25)) {
                const err88 = { instancePath: instancePath + "/webhooks/" + key24.replace(/~/g, "~0").replace(/\//g, "~1"), schemaPath: "#/properties/webhooks/additionalProperties/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key25 }, message: "must NOT have additional properties", schema: false, parentSchema: schema31.properties.webhooks.additionalProperties, data: data43 };
                if (vErrors === null) {
                  vErrors = [err88];
                } else {
                  vErrors.push(err88);
                }
                errors++;
              }
            }
            if (data43.target_url !== void 0) {
              let data44 = data43.target_url;
              if (typeof data44 !== "string") {
                const err89 = { instancePath: instancePath + "/webhooks/" + key24.replace(/~/g, "~0").replace(/\//g, "~1") + "/target_url", schemaPath: "#/properties/webhooks/additionalProperties/properties/target_url/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema31.properties.webhooks.additionalProperties.properties.target_url.type, parentSchema: schema31.properties.webhooks.additionalProperties.properties.target_url, data: data44 };
                if (vErrors === null) {
                  vErrors = [err89];
                } else {
                  vErrors.push(err89);
                }
                errors++;
              }
            }
            if (data43.type !== void 0) {
              let data45 = data43.type;
              const _errs132 = errors;
              let valid37 = false;
              const _errs133 = errors;
              if (!(data45 === "contacted" || data45 === "hooked" || data45 === "attracted" || data45 === "warmed" || data45 === "interested" || data45 === "notInterested" || data45 === "emailsSent" || data45 === "emailsOpened" || data45 === "emailsClicked" || data45 === "emailsReplied" || data45 === "emailsBounced" || data45 === "emailsFailed" || data45 === "emailsInterested" || data45 === "emailsNotInterested" || data45 === "emailsUnsubscribed" || data45 === "networkSent" || data45 === "networkOpened" || data45 === "networkReplied" || data45 === "networkInterested" || data45 === "networkNotInterested" || data45 === "networkSendFailed" || data45 === "networkVisitDone" || data45 === "networkVisitFailed" || data45 === "networkFollowDone" || data45 === "networkFollowFailed" || data45 === "networkFollowSkipped" || data45 === "networkInviteDone" || data45 === "networkInviteFailed" || data45 === "networkInviteAccepted" || data45 === "networkEndorseDone" || data45 === "networkEndorseFailed" || data45 === "networkEndorseSkipped" || data45 === "networkVoiceNoteDone" || data45 === "networkVoiceNoteFailed" || data45 === "networkLikeLastPostDone" || data45 === "networkLikeLastPostNoPost" || data45 === "networkLikeLastPostFailed" || data45 === "networkWithdrawInvitationDone" || data45 === "networkWithdrawInvitationFailed" || data45 === "chatMessageSent" || data45 === "chatMessageDelivered" || data45 === "chatMessageOpened" || data45 === "chatReplied" || data45 === "chatMessageFailed" || data45 === "smsSent" || data45 === "smsDelivered" || data45 === "smsReplied" || data45 === "smsFailed" || data45 === "dialerCreated" || data45 === "dialerEnded" || data45 === "dialerDone" || data45 === "dialerInterested" || data45 === "dialerNotInterested" || data45 === "callRecordingDone" || data45 === "callTranscriptDone" || data45 === "apiDone" || data45 === "apiInterested" || data45 === "apiNotInterested" || data45 === "apiFailed" || data45 === "manualInterested" || data45 === "manualNotInterested" || data45 === "annotated" || data45 === "paused" || data45 === "resumed" || data45 === "stopped" || data45 === "campaignComplete" || data45 === "customDomainErrors" || data45 === "connectionIssue" || data45 === "sendLimitReached" || data45 === "warmupPaused" || data45 === "enrichmentDone" || data45 === "enrichmentError" || data45 === "inboxLabelUpdated" || data45 === "signalRegistered" || data45 === "deliverabilityAlertTriggered")) {
                const err90 = { instancePath: instancePath + "/webhooks/" + key24.replace(/~/g, "~0").replace(/\//g, "~1") + "/type", schemaPath: "#/properties/webhooks/additionalProperties/properties/type/anyOf/0/enum", keyword: "enum", params: { allowedValues: schema31.properties.webhooks.additionalProperties.properties.type.anyOf[0].enum }, message: "must be equal to one of the allowed values", schema: schema31.properties.webhooks.additionalProperties.properties.type.anyOf[0].enum, parentSchema: schema31.properties.webhooks.additionalProperties.properties.type.anyOf[0], data: data45 };
                if (vErrors === null) {
                  vErrors = [err90];
                } else {
                  vErrors.push(err90);
                }
                errors++;
              }
              var _valid4 = _errs133 === errors;
              valid37 = valid37 || _valid4;
              const _errs134 = errors;
              if (typeof data45 !== "string") {
                const err91 = { instancePath: instancePath + "/webhooks/" + key24.replace(/~/g, "~0").replace(/\//g, "~1") + "/type", schemaPath: "#/properties/webhooks/additionalProperties/properties/type/anyOf/1/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema31.properties.webhooks.additionalProperties.properties.type.anyOf[1].type, parentSchema: schema31.properties.webhooks.additionalProperties.properties.type.anyOf[1], data: data45 };
                if (vErrors === null) {
                  vErrors = [err91];
                } else {
                  vErrors.push(err91);
                }
                errors++;
              }
              var _valid4 = _errs134 === errors;
              valid37 = valid37 || _valid4;
              if (!valid37) {
                const err92 = { instancePath: instancePath + "/webhooks/" + key24.replace(/~/g, "~0").replace(/\//g, "~1") + "/type", schemaPath: "#/properties/webhooks/additionalProperties/properties/type/anyOf", keyword: "anyOf", params: {}, message: "must match a schema in anyOf", schema: schema31.properties.webhooks.additionalProperties.properties.type.anyOf, parentSchema: schema31.properties.webhooks.additionalProperties.properties.type, data: data45 };
                if (vErrors === null) {
                  vErrors = [err92];
                } else {
                  vErrors.push(err92);
                }
                errors++;
              } else {
                errors = _errs132;
                if (vErrors !== null) {
                  if (_errs132) {
                    vErrors.length = _errs132;
                  } else {
                    vErrors = null;
                  }
                }
              }
            }
            if (data43.types !== void 0) {
              let data46 = data43.types;
              if (Array.isArray(data46)) {
                const len3 = data46.length;
                for (let i3 = 0; i3 < len3; i3++) {
                  let data47 = data46[i3];
                  const _errs139 = errors;
                  let valid40 = false;
                  const _errs140 = errors;
                  if (!(data47 === "contacted" || data47 === "hooked" || data47 === "attracted" || data47 === "warmed" || data47 === "interested" || data47 === "notInterested" || data47 === "emailsSent" || data47 === "emailsOpened" || data47 === "emailsClicked" || data47 === "emailsReplied" || data47 === "emailsBounced" || data47 === "emailsFailed" || data47 === "emailsInterested" || data47 === "emailsNotInterested" || data47 === "emailsUnsubscribed" || data47 === "networkSent" || data47 === "networkOpened" || data47 === "networkReplied" || data47 === "networkInterested" || data47 === "networkNotInterested" || data47 === "networkSendFailed" || data47 === "networkVisitDone" || data47 === "networkVisitFailed" || data47 === "networkFollowDone" || data47 === "networkFollowFailed" || data47 === "networkFollowSkipped" || data47 === "networkInviteDone" || data47 === "networkInviteFailed" || data47 === "networkInviteAccepted" || data47 === "networkEndorseDone" || data47 === "networkEndorseFailed" || data47 === "networkEndorseSkipped" || data47 === "networkVoiceNoteDone" || data47 === "networkVoiceNoteFailed" || data47 === "networkLikeLastPostDone" || data47 === "networkLikeLastPostNoPost" || data47 === "networkLikeLastPostFailed" || data47 === "networkWithdrawInvitationDone" || data47 === "networkWithdrawInvitationFailed" || data47 === "chatMessageSent" || data47 === "chatMessageDelivered" || data47 === "chatMessageOpened" || data47 === "chatReplied" || data47 === "chatMessageFailed" || data47 === "smsSent" || data47 === "smsDelivered" || data47 === "smsReplied" || data47 === "smsFailed" || data47 === "dialerCreated" || data47 === "dialerEnded" || data47 === "dialerDone" || data47 === "dialerInterested" || data47 === "dialerNotInterested" || data47 === "callRecordingDone" || data47 === "callTranscriptDone" || data47 === "apiDone" || data47 === "apiInterested" || data47 === "apiNotInterested" || data47 === "apiFailed" || data47 === "manualInterested" || data47 === "manualNotInterested" || data47 === "annotated" || data47 === "paused" || data47 === "resumed" || data47 === "stopped" || data47 === "campaignComplete" || data47 === "customDomainErrors" || data47 === "connectionIssue" || data47 === "sendLimitReached" || data47 === "warmupPaused" || data47 === "enrichmentDone" || data47 === "enrichmentError" || data47 === "inboxLabelUpdated" || data47 === "signalRegistered" || data47 === "deliverabilityAlertTriggered")) {
                    const err93 = { instancePath: instancePath + "/webhooks/" + key24.replace(/~/g, "~0").replace(/\//g, "~1") + "/types/" + i3, schemaPath: "#/properties/webhooks/additionalProperties/properties/types/items/anyOf/0/enum", keyword: "enum", params: { allowedValues: schema31.properties.webhooks.additionalProperties.properties.types.items.anyOf[0].enum }, message: "must be equal to one of the allowed values", schema: schema31.properties.webhooks.additionalProperties.properties.types.items.anyOf[0].enum, parentSchema: schema31.properties.webhooks.additionalProperties.properties.types.items.anyOf[0], data: data47 };
                    if (vErrors === null) {
                      vErrors = [err93];
                    } else {
                      vErrors.push(err93);
                    }
                    errors++;
                  }
                  var _valid5 = _errs140 === errors;
                  valid40 = valid40 || _valid5;
                  const _errs141 = errors;
                  if (typeof data47 !== "string") {
                    const err94 = { instancePath: instancePath + "/webhooks/" + key24.replace(/~/g, "~0").replace(/\//g, "~1") + "/types/" + i3, schemaPath: "#/properties/webhooks/additionalProperties/properties/types/items/anyOf/1/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema31.properties.webhooks.additionalProperties.properties.types.items.anyOf[1].type, parentSchema: schema31.properties.webhooks.additionalProperties.properties.types.items.anyOf[1], data: data47 };
                    if (vErrors === null) {
                      vErrors = [err94];
                    } else {
                      vErrors.push(err94);
                    }
                    errors++;
                  }
                  var _valid5 = _errs141 === errors;
                  valid40 = valid40 || _valid5;
                  if (!valid40) {
                    const err95 = { instancePath: instancePath + "/webhooks/" + key24.replace(/~/g, "~0").replace(/\//g, "~1") + "/types/" + i3, schemaPath: "#/properties/webhooks/additionalProperties/properties/types/items/anyOf", keyword: "anyOf", params: {}, message: "must match a schema in anyOf", schema: schema31.properties.webhooks.additionalProperties.properties.types.items.anyOf, parentSchema: schema31.properties.webhooks.additionalProperties.properties.types.items, data: data47 };
                    if (vErrors === null) {
                      vErrors = [err95];
                    } else {
                      vErrors.push(err95);
                    }
                    errors++;
                  } else {
                    errors = _errs139;
                    if (vErrors !== null) {
                      if (_errs139) {
                        vErrors.length = _errs139;
                      } else {
                        vErrors = null;
                      }
                    }
                  }
                }
              } else {
                const err96 = { instancePath: instancePath + "/webhooks/" + key24.replace(/~/g, "~0").replace(/\//g, "~1") + "/types", schemaPath: "#/properties/webhooks/additionalProperties/properties/types/type", keyword: "type", params: { type: "array" }, message: "must be array", schema: schema31.properties.webhooks.additionalProperties.properties.types.type, parentSchema: schema31.properties.webhooks.additionalProperties.properties.types, data: data46 };
                if (vErrors === null) {
                  vErrors = [err96];
                } else {
                  vErrors.push(err96);
                }
                errors++;
              }
            }
            if (data43.campaign_id !== void 0) {
              let data48 = data43.campaign_id;
              if (typeof data48 !== "string") {
                const err97 = { instancePath: instancePath + "/webhooks/" + key24.replace(/~/g, "~0").replace(/\//g, "~1") + "/campaign_id", schemaPath: "#/properties/webhooks/additionalProperties/properties/campaign_id/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema31.properties.webhooks.additionalProperties.properties.campaign_id.type, parentSchema: schema31.properties.webhooks.additionalProperties.properties.campaign_id, data: data48 };
                if (vErrors === null) {
                  vErrors = [err97];
                } else {
                  vErrors.push(err97);
                }
                errors++;
              }
            }
            if (data43.campaign !== void 0) {
              let data49 = data43.campaign;
              if (typeof data49 !== "string") {
                const err98 = { instancePath: instancePath + "/webhooks/" + key24.replace(/~/g, "~0").replace(/\//g, "~1") + "/campaign", schemaPath: "#/properties/webhooks/additionalProperties/properties/campaign/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema31.properties.webhooks.additionalProperties.properties.campaign.type, parentSchema: schema31.properties.webhooks.additionalProperties.properties.campaign, data: data49 };
                if (vErrors === null) {
                  vErrors = [err98];
                } else {
                  vErrors.push(err98);
                }
                errors++;
              }
            }
            if (data43.campaigns !== void 0) {
              let data50 = data43.campaigns;
              if (typeof data50 !== "string" && !Array.isArray(data50)) {
                const err99 = { instancePath: instancePath + "/webhooks/" + key24.replace(/~/g, "~0").replace(/\//g, "~1") + "/campaigns", schemaPath: "#/properties/webhooks/additionalProperties/properties/campaigns/type", keyword: "type", params: { type: schema31.properties.webhooks.additionalProperties.properties.campaigns.type }, message: "must be string,array", schema: schema31.properties.webhooks.additionalProperties.properties.campaigns.type, parentSchema: schema31.properties.webhooks.additionalProperties.properties.campaigns, data: data50 };
                if (vErrors === null) {
                  vErrors = [err99];
                } else {
                  vErrors.push(err99);
                }
                errors++;
              }
              if (Array.isArray(data50)) {
                const len4 = data50.length;
                for (let i4 = 0; i4 < len4; i4++) {
                  let data51 = data50[i4];
                  if (typeof data51 !== "string") {
                    const err100 = { instancePath: instancePath + "/webhooks/" + key24.replace(/~/g, "~0").replace(/\//g, "~1") + "/campaigns/" + i4, schemaPath: "#/properties/webhooks/additionalProperties/properties/campaigns/items/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema31.properties.webhooks.additionalProperties.properties.campaigns.items.type, parentSchema: schema31.properties.webhooks.additionalProperties.properties.campaigns.items, data: data51 };
                    if (vErrors === null) {
                      vErrors = [err100];
                    } else {
                      vErrors.push(err100);
                    }
                    errors++;
                  }
                }
              }
            }
            if (data43.is_first !== void 0) {
              let data52 = data43.is_first;
              const _errs152 = errors;
              let valid43 = false;
              const _errs153 = errors;
              if (typeof data52 !== "boolean") {
                const err101 = { instancePath: instancePath + "/webhooks/" + key24.replace(/~/g, "~0").replace(/\//g, "~1") + "/is_first", schemaPath: "#/properties/webhooks/additionalProperties/properties/is_first/anyOf/0/type", keyword: "type", params: { type: "boolean" }, message: "must be boolean", schema: schema31.properties.webhooks.additionalProperties.properties.is_first.anyOf[0].type, parentSchema: schema31.properties.webhooks.additionalProperties.properties.is_first.anyOf[0], data: data52 };
                if (vErrors === null) {
                  vErrors = [err101];
                } else {
                  vErrors.push(err101);
                }
                errors++;
              }
              var _valid6 = _errs153 === errors;
              valid43 = valid43 || _valid6;
              const _errs155 = errors;
              if (typeof data52 === "string") {
                if (!pattern12.test(data52)) {
                  const err102 = { instancePath: instancePath + "/webhooks/" + key24.replace(/~/g, "~0").replace(/\//g, "~1") + "/is_first", schemaPath: "#/properties/webhooks/additionalProperties/properties/is_first/anyOf/1/pattern", keyword: "pattern", params: { pattern: "\\$\\{" }, message: 'must match pattern "\\$\\{"', schema: "\\$\\{", parentSchema: schema31.properties.webhooks.additionalProperties.properties.is_first.anyOf[1], data: data52 };
                  if (vErrors === null) {
                    vErrors = [err102];
                  } else {
                    vErrors.push(err102);
                  }
                  errors++;
                }
              } else {
                const err103 = { instancePath: instancePath + "/webhooks/" + key24.replace(/~/g, "~0").replace(/\//g, "~1") + "/is_first", schemaPath: "#/properties/webhooks/additionalProperties/properties/is_first/anyOf/1/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema31.properties.webhooks.additionalProperties.properties.is_first.anyOf[1].type, parentSchema: schema31.properties.webhooks.additionalProperties.properties.is_first.anyOf[1], data: data52 };
                if (vErrors === null) {
                  vErrors = [err103];
                } else {
                  vErrors.push(err103);
                }
                errors++;
              }
              var _valid6 = _errs155 === errors;
              valid43 = valid43 || _valid6;
              if (!valid43) {
                const err104 = { instancePath: instancePath + "/webhooks/" + key24.replace(/~/g, "~0").replace(/\//g, "~1") + "/is_first", schemaPath: "#/properties/webhooks/additionalProperties/properties/is_first/anyOf", keyword: "anyOf", params: {}, message: "must match a schema in anyOf", schema: schema31.properties.webhooks.additionalProperties.properties.is_first.anyOf, parentSchema: schema31.properties.webhooks.additionalProperties.properties.is_first, data: data52 };
                if (vErrors === null) {
                  vErrors = [err104];
                } else {
                  vErrors.push(err104);
                }
                errors++;
              } else {
                errors = _errs152;
                if (vErrors !== null) {
                  if (_errs152) {
                    vErrors.length = _errs152;
                  } else {
                    vErrors = null;
                  }
                }
              }
            }
            if (data43.automation_id !== void 0) {
              let data53 = data43.automation_id;
              if (typeof data53 !== "string") {
                const err105 = { instancePath: instancePath + "/webhooks/" + key24.replace(/~/g, "~0").replace(/\//g, "~1") + "/automation_id", schemaPath: "#/properties/webhooks/additionalProperties/properties/automation_id/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema31.properties.webhooks.additionalProperties.properties.automation_id.type, parentSchema: schema31.properties.webhooks.additionalProperties.properties.automation_id, data: data53 };
                if (vErrors === null) {
                  vErrors = [err105];
                } else {
                  vErrors.push(err105);
                }
                errors++;
              }
            }
            if (data43.secret !== void 0) {
              let data54 = data43.secret;
              const _errs162 = errors;
              const _errs163 = errors;
              const _errs164 = errors;
              let valid46 = false;
              const _errs165 = errors;
              if (data54 && typeof data54 == "object" && !Array.isArray(data54)) {
                let missing3;
                if (data54.env === void 0 && (missing3 = "env") || data54.file === void 0 && (missing3 = "file")) {
                  const err106 = {};
                  if (vErrors === null) {
                    vErrors = [err106];
                  } else {
                    vErrors.push(err106);
                  }
                  errors++;
                }
              }
              var _valid7 = _errs165 === errors;
              valid46 = valid46 || _valid7;
              const _errs166 = errors;
              if (data54 && typeof data54 == "object" && !Array.isArray(data54)) {
                let missing4;
                if (data54.env === void 0 && (missing4 = "env") || data54.command === void 0 && (missing4 = "command")) {
                  const err107 = {};
                  if (vErrors === null) {
                    vErrors = [err107];
                  } else {
                    vErrors.push(err107);
                  }
                  errors++;
                }
              }
              var _valid7 = _errs166 === errors;
              valid46 = valid46 || _valid7;
              const _errs167 = errors;
              if (data54 && typeof data54 == "object" && !Array.isArray(data54)) {
                let missing5;
                if (data54.file === void 0 && (missing5 = "file") || data54.command === void 0 && (missing5 = "command")) {
                  const err108 = {};
                  if (vErrors === null) {
                    vErrors = [err108];
                  } else {
                    vErrors.push(err108);
                  }
                  errors++;
                }
              }
              var _valid7 = _errs167 === errors;
              valid46 = valid46 || _valid7;
              if (!valid46) {
                const err109 = {};
                if (vErrors === null) {
                  vErrors = [err109];
                } else {
                  vErrors.push(err109);
                }
                errors++;
              } else {
                errors = _errs164;
                if (vErrors !== null) {
                  if (_errs164) {
                    vErrors.length = _errs164;
                  } else {
                    vErrors = null;
                  }
                }
              }
              var valid45 = _errs163 === errors;
              if (valid45) {
                const err110 = { instancePath: instancePath + "/webhooks/" + key24.replace(/~/g, "~0").replace(/\//g, "~1") + "/secret", schemaPath: "#/$defs/secret/not", keyword: "not", params: {}, message: "must NOT be valid", schema: schema32.not, parentSchema: schema32, data: data54 };
                if (vErrors === null) {
                  vErrors = [err110];
                } else {
                  vErrors.push(err110);
                }
                errors++;
              } else {
                errors = _errs162;
                if (vErrors !== null) {
                  if (_errs162) {
                    vErrors.length = _errs162;
                  } else {
                    vErrors = null;
                  }
                }
              }
              if (data54 && typeof data54 == "object" && !Array.isArray(data54)) {
                if (Object.keys(data54).length < 1) {
                  const err111 = { instancePath: instancePath + "/webhooks/" + key24.replace(/~/g, "~0").replace(/\//g, "~1") + "/secret", schemaPath: "#/$defs/secret/minProperties", keyword: "minProperties", params: { limit: 1 }, message: "must NOT have fewer than 1 properties", schema: 1, parentSchema: schema32, data: data54 };
                  if (vErrors === null) {
                    vErrors = [err111];
                  } else {
                    vErrors.push(err111);
                  }
                  errors++;
                }
                for (const key26 in data54) {
                  if (!(key26 === "env" || key26 === "file" || key26 === "command")) {
                    const err112 = { instancePath: instancePath + "/webhooks/" + key24.replace(/~/g, "~0").replace(/\//g, "~1") + "/secret", schemaPath: "#/$defs/secret/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key26 }, message: "must NOT have additional properties", schema: false, parentSchema: schema32, data: data54 };
                    if (vErrors === null) {
                      vErrors = [err112];
                    } else {
                      vErrors.push(err112);
                    }
                    errors++;
                  }
                }
                if (data54.env !== void 0) {
                  let data55 = data54.env;
                  if (typeof data55 === "string") {
                    if (func2(data55) < 1) {
                      const err113 = { instancePath: instancePath + "/webhooks/" + key24.replace(/~/g, "~0").replace(/\//g, "~1") + "/secret/env", schemaPath: "#/$defs/secret/properties/env/minLength", keyword: "minLength", params: { limit: 1 }, message: "must NOT have fewer than 1 characters", schema: 1, parentSchema: schema32.properties.env, data: data55 };
                      if (vErrors === null) {
                        vErrors = [err113];
                      } else {
                        vErrors.push(err113);
                      }
                      errors++;
                    }
                  } else {
                    const err114 = { instancePath: instancePath + "/webhooks/" + key24.replace(/~/g, "~0").replace(/\//g, "~1") + "/secret/env", schemaPath: "#/$defs/secret/properties/env/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema32.properties.env.type, parentSchema: schema32.properties.env, data: data55 };
                    if (vErrors === null) {
                      vErrors = [err114];
                    } else {
                      vErrors.push(err114);
                    }
                    errors++;
                  }
                }
                if (data54.file !== void 0) {
                  let data56 = data54.file;
                  if (typeof data56 === "string") {
                    if (func2(data56) < 1) {
                      const err115 = { instancePath: instancePath + "/webhooks/" + key24.replace(/~/g, "~0").replace(/\//g, "~1") + "/secret/file", schemaPath: "#/$defs/secret/properties/file/minLength", keyword: "minLength", params: { limit: 1 }, message: "must NOT have fewer than 1 characters", schema: 1, parentSchema: schema32.properties.file, data: data56 };
                      if (vErrors === null) {
                        vErrors = [err115];
                      } else {
                        vErrors.push(err115);
                      }
                      errors++;
                    }
                  } else {
                    const err116 = { instancePath: instancePath + "/webhooks/" + key24.replace(/~/g, "~0").replace(/\//g, "~1") + "/secret/file", schemaPath: "#/$defs/secret/properties/file/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema32.properties.file.type, parentSchema: schema32.properties.file, data: data56 };
                    if (vErrors === null) {
                      vErrors = [err116];
                    } else {
                      vErrors.push(err116);
                    }
                    errors++;
                  }
                }
                if (data54.command !== void 0) {
                  let data57 = data54.command;
                  if (Array.isArray(data57)) {
                    if (data57.length < 1) {
                      const err117 = { instancePath: instancePath + "/webhooks/" + key24.replace(/~/g, "~0").replace(/\//g, "~1") + "/secret/command", schemaPath: "#/$defs/secret/properties/command/minItems", keyword: "minItems", params: { limit: 1 }, message: "must NOT have fewer than 1 items", schema: 1, parentSchema: schema32.properties.command, data: data57 };
                      if (vErrors === null) {
                        vErrors = [err117];
                      } else {
                        vErrors.push(err117);
                      }
                      errors++;
                    }
                    const len5 = data57.length;
                    for (let i5 = 0; i5 < len5; i5++) {
                      let data58 = data57[i5];
                      if (typeof data58 !== "string") {
                        const err118 = { instancePath: instancePath + "/webhooks/" + key24.replace(/~/g, "~0").replace(/\//g, "~1") + "/secret/command/" + i5, schemaPath: "#/$defs/secret/properties/command/items/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema32.properties.command.items.type, parentSchema: schema32.properties.command.items, data: data58 };
                        if (vErrors === null) {
                          vErrors = [err118];
                        } else {
                          vErrors.push(err118);
                        }
                        errors++;
                      }
                    }
                  } else {
                    const err119 = { instancePath: instancePath + "/webhooks/" + key24.replace(/~/g, "~0").replace(/\//g, "~1") + "/secret/command", schemaPath: "#/$defs/secret/properties/command/type", keyword: "type", params: { type: "array" }, message: "must be array", schema: schema32.properties.command.type, parentSchema: schema32.properties.command, data: data57 };
                    if (vErrors === null) {
                      vErrors = [err119];
                    } else {
                      vErrors.push(err119);
                    }
                    errors++;
                  }
                }
              } else {
                const err120 = { instancePath: instancePath + "/webhooks/" + key24.replace(/~/g, "~0").replace(/\//g, "~1") + "/secret", schemaPath: "#/$defs/secret/type", keyword: "type", params: { type: "object" }, message: "must be object", schema: schema32.type, parentSchema: schema32, data: data54 };
                if (vErrors === null) {
                  vErrors = [err120];
                } else {
                  vErrors.push(err120);
                }
                errors++;
              }
            }
            if (data43.allow_duplicate !== void 0) {
              let data59 = data43.allow_duplicate;
              const _errs178 = errors;
              let valid50 = false;
              const _errs179 = errors;
              if (typeof data59 !== "boolean") {
                const err121 = { instancePath: instancePath + "/webhooks/" + key24.replace(/~/g, "~0").replace(/\//g, "~1") + "/allow_duplicate", schemaPath: "#/properties/webhooks/additionalProperties/properties/allow_duplicate/anyOf/0/type", keyword: "type", params: { type: "boolean" }, message: "must be boolean", schema: schema31.properties.webhooks.additionalProperties.properties.allow_duplicate.anyOf[0].type, parentSchema: schema31.properties.webhooks.additionalProperties.properties.allow_duplicate.anyOf[0], data: data59 };
                if (vErrors === null) {
                  vErrors = [err121];
                } else {
                  vErrors.push(err121);
                }
                errors++;
              }
              var _valid8 = _errs179 === errors;
              valid50 = valid50 || _valid8;
              const _errs181 = errors;
              if (typeof data59 === "string") {
                if (!pattern12.test(data59)) {
                  const err122 = { instancePath: instancePath + "/webhooks/" + key24.replace(/~/g, "~0").replace(/\//g, "~1") + "/allow_duplicate", schemaPath: "#/properties/webhooks/additionalProperties/properties/allow_duplicate/anyOf/1/pattern", keyword: "pattern", params: { pattern: "\\$\\{" }, message: 'must match pattern "\\$\\{"', schema: "\\$\\{", parentSchema: schema31.properties.webhooks.additionalProperties.properties.allow_duplicate.anyOf[1], data: data59 };
                  if (vErrors === null) {
                    vErrors = [err122];
                  } else {
                    vErrors.push(err122);
                  }
                  errors++;
                }
              } else {
                const err123 = { instancePath: instancePath + "/webhooks/" + key24.replace(/~/g, "~0").replace(/\//g, "~1") + "/allow_duplicate", schemaPath: "#/properties/webhooks/additionalProperties/properties/allow_duplicate/anyOf/1/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema31.properties.webhooks.additionalProperties.properties.allow_duplicate.anyOf[1].type, parentSchema: schema31.properties.webhooks.additionalProperties.properties.allow_duplicate.anyOf[1], data: data59 };
                if (vErrors === null) {
                  vErrors = [err123];
                } else {
                  vErrors.push(err123);
                }
                errors++;
              }
              var _valid8 = _errs181 === errors;
              valid50 = valid50 || _valid8;
              if (!valid50) {
                const err124 = { instancePath: instancePath + "/webhooks/" + key24.replace(/~/g, "~0").replace(/\//g, "~1") + "/allow_duplicate", schemaPath: "#/properties/webhooks/additionalProperties/properties/allow_duplicate/anyOf", keyword: "anyOf", params: {}, message: "must match a schema in anyOf", schema: schema31.properties.webhooks.additionalProperties.properties.allow_duplicate.anyOf, parentSchema: schema31.properties.webhooks.additionalProperties.properties.allow_duplicate, data: data59 };
                if (vErrors === null) {
                  vErrors = [err124];
                } else {
                  vErrors.push(err124);
                }
                errors++;
              } else {
                errors = _errs178;
                if (vErrors !== null) {
                  if (_errs178) {
                    vErrors.length = _errs178;
                  } else {
                    vErrors = null;
                  }
                }
              }
            }
            if (data43.rotation !== void 0) {
              let data60 = data43.rotation;
              const _errs184 = errors;
              let valid51 = false;
              const _errs185 = errors;
              if (!(data60 === "delete_first" || data60 === "create_first")) {
                const err125 = { instancePath: instancePath + "/webhooks/" + key24.replace(/~/g, "~0").replace(/\//g, "~1") + "/rotation", schemaPath: "#/properties/webhooks/additionalProperties/properties/rotation/anyOf/0/enum", keyword: "enum", params: { allowedValues: schema31.properties.webhooks.additionalProperties.properties.rotation.anyOf[0].enum }, message: "must be equal to one of the allowed values", schema: schema31.properties.webhooks.additionalProperties.properties.rotation.anyOf[0].enum, parentSchema: schema31.properties.webhooks.additionalProperties.properties.rotation.anyOf[0], data: data60 };
                if (vErrors === null) {
                  vErrors = [err125];
                } else {
                  vErrors.push(err125);
                }
                errors++;
              }
              var _valid9 = _errs185 === errors;
              valid51 = valid51 || _valid9;
              const _errs186 = errors;
              if (typeof data60 !== "string") {
                const err126 = { instancePath: instancePath + "/webhooks/" + key24.replace(/~/g, "~0").replace(/\//g, "~1") + "/rotation", schemaPath: "#/properties/webhooks/additionalProperties/properties/rotation/anyOf/1/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema31.properties.webhooks.additionalProperties.properties.rotation.anyOf[1].type, parentSchema: schema31.properties.webhooks.additionalProperties.properties.rotation.anyOf[1], data: data60 };
                if (vErrors === null) {
                  vErrors = [err126];
                } else {
                  vErrors.push(err126);
                }
                errors++;
              }
              var _valid9 = _errs186 === errors;
              valid51 = valid51 || _valid9;
              if (!valid51) {
                const err127 = { instancePath: instancePath + "/webhooks/" + key24.replace(/~/g, "~0").replace(/\//g, "~1") + "/rotation", schemaPath: "#/properties/webhooks/additionalProperties/properties/rotation/anyOf", keyword: "anyOf", params: {}, message: "must match a schema in anyOf", schema: schema31.properties.webhooks.additionalProperties.properties.rotation.anyOf, parentSchema: schema31.properties.webhooks.additionalProperties.properties.rotation, data: data60 };
                if (vErrors === null) {
                  vErrors = [err127];
                } else {
                  vErrors.push(err127);
                }
                errors++;
              } else {
                errors = _errs184;
                if (vErrors !== null) {
                  if (_errs184) {
                    vErrors.length = _errs184;
                  } else {
                    vErrors = null;
                  }
                }
              }
            }
            if (data43.protect !== void 0) {
              let data61 = data43.protect;
              const _errs189 = errors;
              let valid52 = false;
              const _errs190 = errors;
              if (typeof data61 !== "boolean") {
                const err128 = { instancePath: instancePath + "/webhooks/" + key24.replace(/~/g, "~0").replace(/\//g, "~1") + "/protect", schemaPath: "#/properties/webhooks/additionalProperties/properties/protect/anyOf/0/type", keyword: "type", params: { type: "boolean" }, message: "must be boolean", schema: schema31.properties.webhooks.additionalProperties.properties.protect.anyOf[0].type, parentSchema: schema31.properties.webhooks.additionalProperties.properties.protect.anyOf[0], data: data61 };
                if (vErrors === null) {
                  vErrors = [err128];
                } else {
                  vErrors.push(err128);
                }
                errors++;
              }
              var _valid10 = _errs190 === errors;
              valid52 = valid52 || _valid10;
              const _errs192 = errors;
              if (typeof data61 === "string") {
                if (!pattern12.test(data61)) {
                  const err129 = { instancePath: instancePath + "/webhooks/" + key24.replace(/~/g, "~0").replace(/\//g, "~1") + "/protect", schemaPath: "#/properties/webhooks/additionalProperties/properties/protect/anyOf/1/pattern", keyword: "pattern", params: { pattern: "\\$\\{" }, message: 'must match pattern "\\$\\{"', schema: "\\$\\{", parentSchema: schema31.properties.webhooks.additionalProperties.properties.protect.anyOf[1], data: data61 };
                  if (vErrors === null) {
                    vErrors = [err129];
                  } else {
                    vErrors.push(err129);
                  }
                  errors++;
                }
              } else {
                const err130 = { instancePath: instancePath + "/webhooks/" + key24.replace(/~/g, "~0").replace(/\//g, "~1") + "/protect", schemaPath: "#/properties/webhooks/additionalProperties/properties/protect/anyOf/1/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema31.properties.webhooks.additionalProperties.properties.protect.anyOf[1].type, parentSchema: schema31.properties.webhooks.additionalProperties.properties.protect.anyOf[1], data: data61 };
                if (vErrors === null) {
                  vErrors = [err130];
                } else {
                  vErrors.push(err130);
                }
                errors++;
              }
              var _valid10 = _errs192 === errors;
              valid52 = valid52 || _valid10;
              if (!valid52) {
                const err131 = { instancePath: instancePath + "/webhooks/" + key24.replace(/~/g, "~0").replace(/\//g, "~1") + "/protect", schemaPath: "#/properties/webhooks/additionalProperties/properties/protect/anyOf", keyword: "anyOf", params: {}, message: "must match a schema in anyOf", schema: schema31.properties.webhooks.additionalProperties.properties.protect.anyOf, parentSchema: schema31.properties.webhooks.additionalProperties.properties.protect, data: data61 };
                if (vErrors === null) {
                  vErrors = [err131];
                } else {
                  vErrors.push(err131);
                }
                errors++;
              } else {
                errors = _errs189;
                if (vErrors !== null) {
                  if (_errs189) {
                    vErrors.length = _errs189;
                  } else {
                    vErrors = null;
                  }
                }
              }
            }
            if (data43.allow_empty !== void 0) {
              let data62 = data43.allow_empty;
              if (typeof data62 !== "boolean") {
                const err132 = { instancePath: instancePath + "/webhooks/" + key24.replace(/~/g, "~0").replace(/\//g, "~1") + "/allow_empty", schemaPath: "#/properties/webhooks/additionalProperties/properties/allow_empty/type", keyword: "type", params: { type: "boolean" }, message: "must be boolean", schema: schema31.properties.webhooks.additionalProperties.properties.allow_empty.type, parentSchema: schema31.properties.webhooks.additionalProperties.properties.allow_empty, data: data62 };
                if (vErrors === null) {
                  vErrors = [err132];
                } else {
                  vErrors.push(err132);
                }
                errors++;
              }
            }
            if (data43.prune !== void 0) {
              let data63 = data43.prune;
              if (typeof data63 !== "boolean") {
                const err133 = { instancePath: instancePath + "/webhooks/" + key24.replace(/~/g, "~0").replace(/\//g, "~1") + "/prune", schemaPath: "#/properties/webhooks/additionalProperties/properties/prune/type", keyword: "type", params: { type: "boolean" }, message: "must be boolean", schema: schema31.properties.webhooks.additionalProperties.properties.prune.type, parentSchema: schema31.properties.webhooks.additionalProperties.properties.prune, data: data63 };
                if (vErrors === null) {
                  vErrors = [err133];
                } else {
                  vErrors.push(err133);
                }
                errors++;
              }
            }
          } else {
            const err134 = { instancePath: instancePath + "/webhooks/" + key24.replace(/~/g, "~0").replace(/\//g, "~1"), schemaPath: "#/properties/webhooks/additionalProperties/type", keyword: "type", params: { type: "object" }, message: "must be object", schema: schema31.properties.webhooks.additionalProperties.type, parentSchema: schema31.properties.webhooks.additionalProperties, data: data43 };
            if (vErrors === null) {
              vErrors = [err134];
            } else {
              vErrors.push(err134);
            }
            errors++;
          }
        }
      } else {
        const err135 = { instancePath: instancePath + "/webhooks", schemaPath: "#/properties/webhooks/type", keyword: "type", params: { type: "object" }, message: "must be object", schema: schema31.properties.webhooks.type, parentSchema: schema31.properties.webhooks, data: data42 };
        if (vErrors === null) {
          vErrors = [err135];
        } else {
          vErrors.push(err135);
        }
        errors++;
      }
    }
    if (data.lead_unsubscriptions !== void 0) {
      let data64 = data.lead_unsubscriptions;
      if (data64 && typeof data64 == "object" && !Array.isArray(data64)) {
        for (const key27 in data64) {
          const _errs200 = errors;
          if (typeof key27 === "string") {
            if (!pattern5.test(key27)) {
              const err136 = { instancePath: instancePath + "/lead_unsubscriptions", schemaPath: "#/properties/lead_unsubscriptions/propertyNames/pattern", keyword: "pattern", params: { pattern: "^[\\p{L}_][\\p{L}\\p{N}_-]*$" }, message: 'must match pattern "^[\\p{L}_][\\p{L}\\p{N}_-]*$"', schema: "^[\\p{L}_][\\p{L}\\p{N}_-]*$", parentSchema: schema31.properties.lead_unsubscriptions.propertyNames, data: key27, propertyName: key27 };
              if (vErrors === null) {
                vErrors = [err136];
              } else {
                vErrors.push(err136);
              }
              errors++;
            }
          }
          var valid53 = _errs200 === errors;
          if (!valid53) {
            const err137 = { instancePath: instancePath + "/lead_unsubscriptions", schemaPath: "#/properties/lead_unsubscriptions/propertyNames", keyword: "propertyNames", params: { propertyName: key27 }, message: "property name must be valid", schema: schema31.properties.lead_unsubscriptions.propertyNames, parentSchema: schema31.properties.lead_unsubscriptions, data: data64 };
            if (vErrors === null) {
              vErrors = [err137];
            } else {
              vErrors.push(err137);
            }
            errors++;
          }
        }
        for (const key28 in data64) {
          let data65 = data64[key28];
          if (data65 && typeof data65 == "object" && !Array.isArray(data65)) {
            for (const key29 in data65) {
              if (!func1.call(schema31.properties.lead_unsubscriptions.additionalProperties.properties, key29)) {
                const err138 = { instancePath: instancePath + "/lead_unsubscriptions/" + key28.replace(/~/g, "~0").replace(/\//g, "~1"), schemaPath: "#/properties/lead_unsubscriptions/additionalProperties/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key29 }, message: "must NOT have additional properties", schema: false, parentSchema: schema31.properties.lead_unsubscriptions.additionalProperties, data: data65 };
                if (vErrors === null) {
                  vErrors = [err138];
                } else {
                  vErrors.push(err138);
                }
                errors++;
              }
            }
            if (data65.campaign_id !== void 0) {
              let data66 = data65.campaign_id;
              if (typeof data66 !== "string") {
                const err139 = { instancePath: instancePath + "/lead_unsubscriptions/" + key28.replace(/~/g, "~0").replace(/\//g, "~1") + "/campaign_id", schemaPath: "#/properties/lead_unsubscriptions/additionalProperties/properties/campaign_id/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema31.properties.lead_unsubscriptions.additionalProperties.properties.campaign_id.type, parentSchema: schema31.properties.lead_unsubscriptions.additionalProperties.properties.campaign_id, data: data66 };
                if (vErrors === null) {
                  vErrors = [err139];
                } else {
                  vErrors.push(err139);
                }
                errors++;
              }
            }
            if (data65.campaign !== void 0) {
              let data67 = data65.campaign;
              if (typeof data67 !== "string") {
                const err140 = { instancePath: instancePath + "/lead_unsubscriptions/" + key28.replace(/~/g, "~0").replace(/\//g, "~1") + "/campaign", schemaPath: "#/properties/lead_unsubscriptions/additionalProperties/properties/campaign/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema31.properties.lead_unsubscriptions.additionalProperties.properties.campaign.type, parentSchema: schema31.properties.lead_unsubscriptions.additionalProperties.properties.campaign, data: data67 };
                if (vErrors === null) {
                  vErrors = [err140];
                } else {
                  vErrors.push(err140);
                }
                errors++;
              }
            }
            if (data65.campaigns !== void 0) {
              let data68 = data65.campaigns;
              if (typeof data68 !== "string" && !Array.isArray(data68)) {
                const err141 = { instancePath: instancePath + "/lead_unsubscriptions/" + key28.replace(/~/g, "~0").replace(/\//g, "~1") + "/campaigns", schemaPath: "#/properties/lead_unsubscriptions/additionalProperties/properties/campaigns/type", keyword: "type", params: { type: schema31.properties.lead_unsubscriptions.additionalProperties.properties.campaigns.type }, message: "must be string,array", schema: schema31.properties.lead_unsubscriptions.additionalProperties.properties.campaigns.type, parentSchema: schema31.properties.lead_unsubscriptions.additionalProperties.properties.campaigns, data: data68 };
                if (vErrors === null) {
                  vErrors = [err141];
                } else {
                  vErrors.push(err141);
                }
                errors++;
              }
              if (Array.isArray(data68)) {
                const len6 = data68.length;
                for (let i6 = 0; i6 < len6; i6++) {
                  let data69 = data68[i6];
                  if (typeof data69 !== "string") {
                    const err142 = { instancePath: instancePath + "/lead_unsubscriptions/" + key28.replace(/~/g, "~0").replace(/\//g, "~1") + "/campaigns/" + i6, schemaPath: "#/properties/lead_unsubscriptions/additionalProperties/properties/campaigns/items/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema31.properties.lead_unsubscriptions.additionalProperties.properties.campaigns.items.type, parentSchema: schema31.properties.lead_unsubscriptions.additionalProperties.properties.campaigns.items, data: data69 };
                    if (vErrors === null) {
                      vErrors = [err142];
                    } else {
                      vErrors.push(err142);
                    }
                    errors++;
                  }
                }
              }
            }
            if (data65.email !== void 0) {
              let data70 = data65.email;
              if (typeof data70 !== "string") {
                const err143 = { instancePath: instancePath + "/lead_unsubscriptions/" + key28.replace(/~/g, "~0").replace(/\//g, "~1") + "/email", schemaPath: "#/properties/lead_unsubscriptions/additionalProperties/properties/email/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema31.properties.lead_unsubscriptions.additionalProperties.properties.email.type, parentSchema: schema31.properties.lead_unsubscriptions.additionalProperties.properties.email, data: data70 };
                if (vErrors === null) {
                  vErrors = [err143];
                } else {
                  vErrors.push(err143);
                }
                errors++;
              }
            }
            if (data65.emails !== void 0) {
              let data71 = data65.emails;
              if (Array.isArray(data71)) {
                const len7 = data71.length;
                for (let i7 = 0; i7 < len7; i7++) {
                  let data72 = data71[i7];
                  if (typeof data72 !== "string") {
                    const err144 = { instancePath: instancePath + "/lead_unsubscriptions/" + key28.replace(/~/g, "~0").replace(/\//g, "~1") + "/emails/" + i7, schemaPath: "#/properties/lead_unsubscriptions/additionalProperties/properties/emails/items/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema31.properties.lead_unsubscriptions.additionalProperties.properties.emails.items.type, parentSchema: schema31.properties.lead_unsubscriptions.additionalProperties.properties.emails.items, data: data72 };
                    if (vErrors === null) {
                      vErrors = [err144];
                    } else {
                      vErrors.push(err144);
                    }
                    errors++;
                  }
                }
              } else {
                const err145 = { instancePath: instancePath + "/lead_unsubscriptions/" + key28.replace(/~/g, "~0").replace(/\//g, "~1") + "/emails", schemaPath: "#/properties/lead_unsubscriptions/additionalProperties/properties/emails/type", keyword: "type", params: { type: "array" }, message: "must be array", schema: schema31.properties.lead_unsubscriptions.additionalProperties.properties.emails.type, parentSchema: schema31.properties.lead_unsubscriptions.additionalProperties.properties.emails, data: data71 };
                if (vErrors === null) {
                  vErrors = [err145];
                } else {
                  vErrors.push(err145);
                }
                errors++;
              }
            }
            if (data65.emails_from !== void 0) {
              let data73 = data65.emails_from;
              if (typeof data73 === "string") {
                if (func2(data73) < 1) {
                  const err146 = { instancePath: instancePath + "/lead_unsubscriptions/" + key28.replace(/~/g, "~0").replace(/\//g, "~1") + "/emails_from", schemaPath: "#/properties/lead_unsubscriptions/additionalProperties/properties/emails_from/minLength", keyword: "minLength", params: { limit: 1 }, message: "must NOT have fewer than 1 characters", schema: 1, parentSchema: schema31.properties.lead_unsubscriptions.additionalProperties.properties.emails_from, data: data73 };
                  if (vErrors === null) {
                    vErrors = [err146];
                  } else {
                    vErrors.push(err146);
                  }
                  errors++;
                }
              } else {
                const err147 = { instancePath: instancePath + "/lead_unsubscriptions/" + key28.replace(/~/g, "~0").replace(/\//g, "~1") + "/emails_from", schemaPath: "#/properties/lead_unsubscriptions/additionalProperties/properties/emails_from/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema31.properties.lead_unsubscriptions.additionalProperties.properties.emails_from.type, parentSchema: schema31.properties.lead_unsubscriptions.additionalProperties.properties.emails_from, data: data73 };
                if (vErrors === null) {
                  vErrors = [err147];
                } else {
                  vErrors.push(err147);
                }
                errors++;
              }
            }
            if (data65.on_not_found !== void 0) {
              let data74 = data65.on_not_found;
              const _errs222 = errors;
              let valid60 = false;
              const _errs223 = errors;
              if (!(data74 === "warn" || data74 === "ignore" || data74 === "error" || data74 === "retry")) {
                const err148 = { instancePath: instancePath + "/lead_unsubscriptions/" + key28.replace(/~/g, "~0").replace(/\//g, "~1") + "/on_not_found", schemaPath: "#/properties/lead_unsubscriptions/additionalProperties/properties/on_not_found/anyOf/0/enum", keyword: "enum", params: { allowedValues: schema31.properties.lead_unsubscriptions.additionalProperties.properties.on_not_found.anyOf[0].enum }, message: "must be equal to one of the allowed values", schema: schema31.properties.lead_unsubscriptions.additionalProperties.properties.on_not_found.anyOf[0].enum, parentSchema: schema31.properties.lead_unsubscriptions.additionalProperties.properties.on_not_found.anyOf[0], data: data74 };
                if (vErrors === null) {
                  vErrors = [err148];
                } else {
                  vErrors.push(err148);
                }
                errors++;
              }
              var _valid11 = _errs223 === errors;
              valid60 = valid60 || _valid11;
              const _errs224 = errors;
              if (typeof data74 !== "string") {
                const err149 = { instancePath: instancePath + "/lead_unsubscriptions/" + key28.replace(/~/g, "~0").replace(/\//g, "~1") + "/on_not_found", schemaPath: "#/properties/lead_unsubscriptions/additionalProperties/properties/on_not_found/anyOf/1/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema31.properties.lead_unsubscriptions.additionalProperties.properties.on_not_found.anyOf[1].type, parentSchema: schema31.properties.lead_unsubscriptions.additionalProperties.properties.on_not_found.anyOf[1], data: data74 };
                if (vErrors === null) {
                  vErrors = [err149];
                } else {
                  vErrors.push(err149);
                }
                errors++;
              }
              var _valid11 = _errs224 === errors;
              valid60 = valid60 || _valid11;
              if (!valid60) {
                const err150 = { instancePath: instancePath + "/lead_unsubscriptions/" + key28.replace(/~/g, "~0").replace(/\//g, "~1") + "/on_not_found", schemaPath: "#/properties/lead_unsubscriptions/additionalProperties/properties/on_not_found/anyOf", keyword: "anyOf", params: {}, message: "must match a schema in anyOf", schema: schema31.properties.lead_unsubscriptions.additionalProperties.properties.on_not_found.anyOf, parentSchema: schema31.properties.lead_unsubscriptions.additionalProperties.properties.on_not_found, data: data74 };
                if (vErrors === null) {
                  vErrors = [err150];
                } else {
                  vErrors.push(err150);
                }
                errors++;
              } else {
                errors = _errs222;
                if (vErrors !== null) {
                  if (_errs222) {
                    vErrors.length = _errs222;
                  } else {
                    vErrors = null;
                  }
                }
              }
            }
            if (data65.allow_empty !== void 0) {
              let data75 = data65.allow_empty;
              if (typeof data75 !== "boolean") {
                const err151 = { instancePath: instancePath + "/lead_unsubscriptions/" + key28.replace(/~/g, "~0").replace(/\//g, "~1") + "/allow_empty", schemaPath: "#/properties/lead_unsubscriptions/additionalProperties/properties/allow_empty/type", keyword: "type", params: { type: "boolean" }, message: "must be boolean", schema: schema31.properties.lead_unsubscriptions.additionalProperties.properties.allow_empty.type, parentSchema: schema31.properties.lead_unsubscriptions.additionalProperties.properties.allow_empty, data: data75 };
                if (vErrors === null) {
                  vErrors = [err151];
                } else {
                  vErrors.push(err151);
                }
                errors++;
              }
            }
            if (data65.prune !== void 0) {
              let data76 = data65.prune;
              if (typeof data76 !== "boolean") {
                const err152 = { instancePath: instancePath + "/lead_unsubscriptions/" + key28.replace(/~/g, "~0").replace(/\//g, "~1") + "/prune", schemaPath: "#/properties/lead_unsubscriptions/additionalProperties/properties/prune/type", keyword: "type", params: { type: "boolean" }, message: "must be boolean", schema: schema31.properties.lead_unsubscriptions.additionalProperties.properties.prune.type, parentSchema: schema31.properties.lead_unsubscriptions.additionalProperties.properties.prune, data: data76 };
                if (vErrors === null) {
                  vErrors = [err152];
                } else {
                  vErrors.push(err152);
                }
                errors++;
              }
            }
          } else {
            const err153 = { instancePath: instancePath + "/lead_unsubscriptions/" + key28.replace(/~/g, "~0").replace(/\//g, "~1"), schemaPath: "#/properties/lead_unsubscriptions/additionalProperties/type", keyword: "type", params: { type: "object" }, message: "must be object", schema: schema31.properties.lead_unsubscriptions.additionalProperties.type, parentSchema: schema31.properties.lead_unsubscriptions.additionalProperties, data: data65 };
            if (vErrors === null) {
              vErrors = [err153];
            } else {
              vErrors.push(err153);
            }
            errors++;
          }
        }
      } else {
        const err154 = { instancePath: instancePath + "/lead_unsubscriptions", schemaPath: "#/properties/lead_unsubscriptions/type", keyword: "type", params: { type: "object" }, message: "must be object", schema: schema31.properties.lead_unsubscriptions.type, parentSchema: schema31.properties.lead_unsubscriptions, data: data64 };
        if (vErrors === null) {
          vErrors = [err154];
        } else {
          vErrors.push(err154);
        }
        errors++;
      }
    }
    if (data.imports !== void 0) {
      let data77 = data.imports;
      if (Array.isArray(data77)) {
        const len8 = data77.length;
        for (let i8 = 0; i8 < len8; i8++) {
          let data78 = data77[i8];
          if (data78 && typeof data78 == "object" && !Array.isArray(data78)) {
            if (data78.to === void 0) {
              const err155 = { instancePath: instancePath + "/imports/" + i8, schemaPath: "#/properties/imports/items/required", keyword: "required", params: { missingProperty: "to" }, message: "must have required property 'to'", schema: schema31.properties.imports.items.required, parentSchema: schema31.properties.imports.items, data: data78 };
              if (vErrors === null) {
                vErrors = [err155];
              } else {
                vErrors.push(err155);
              }
              errors++;
            }
            if (data78.id === void 0) {
              const err156 = { instancePath: instancePath + "/imports/" + i8, schemaPath: "#/properties/imports/items/required", keyword: "required", params: { missingProperty: "id" }, message: "must have required property 'id'", schema: schema31.properties.imports.items.required, parentSchema: schema31.properties.imports.items, data: data78 };
              if (vErrors === null) {
                vErrors = [err156];
              } else {
                vErrors.push(err156);
              }
              errors++;
            }
            for (const key30 in data78) {
              if (!(key30 === "to" || key30 === "id")) {
                const err157 = { instancePath: instancePath + "/imports/" + i8, schemaPath: "#/properties/imports/items/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key30 }, message: "must NOT have additional properties", schema: false, parentSchema: schema31.properties.imports.items, data: data78 };
                if (vErrors === null) {
                  vErrors = [err157];
                } else {
                  vErrors.push(err157);
                }
                errors++;
              }
            }
            if (data78.to !== void 0) {
              let data79 = data78.to;
              if (typeof data79 === "string") {
                if (func2(data79) < 1) {
                  const err158 = { instancePath: instancePath + "/imports/" + i8 + "/to", schemaPath: "#/properties/imports/items/properties/to/minLength", keyword: "minLength", params: { limit: 1 }, message: "must NOT have fewer than 1 characters", schema: 1, parentSchema: schema31.properties.imports.items.properties.to, data: data79 };
                  if (vErrors === null) {
                    vErrors = [err158];
                  } else {
                    vErrors.push(err158);
                  }
                  errors++;
                }
              } else {
                const err159 = { instancePath: instancePath + "/imports/" + i8 + "/to", schemaPath: "#/properties/imports/items/properties/to/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema31.properties.imports.items.properties.to.type, parentSchema: schema31.properties.imports.items.properties.to, data: data79 };
                if (vErrors === null) {
                  vErrors = [err159];
                } else {
                  vErrors.push(err159);
                }
                errors++;
              }
            }
            if (data78.id !== void 0) {
              let data80 = data78.id;
              if (typeof data80 === "string") {
                if (func2(data80) < 1) {
                  const err160 = { instancePath: instancePath + "/imports/" + i8 + "/id", schemaPath: "#/properties/imports/items/properties/id/minLength", keyword: "minLength", params: { limit: 1 }, message: "must NOT have fewer than 1 characters", schema: 1, parentSchema: schema31.properties.imports.items.properties.id, data: data80 };
                  if (vErrors === null) {
                    vErrors = [err160];
                  } else {
                    vErrors.push(err160);
                  }
                  errors++;
                }
              } else {
                const err161 = { instancePath: instancePath + "/imports/" + i8 + "/id", schemaPath: "#/properties/imports/items/properties/id/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema31.properties.imports.items.properties.id.type, parentSchema: schema31.properties.imports.items.properties.id, data: data80 };
                if (vErrors === null) {
                  vErrors = [err161];
                } else {
                  vErrors.push(err161);
                }
                errors++;
              }
            }
          } else {
            const err162 = { instancePath: instancePath + "/imports/" + i8, schemaPath: "#/properties/imports/items/type", keyword: "type", params: { type: "object" }, message: "must be object", schema: schema31.properties.imports.items.type, parentSchema: schema31.properties.imports.items, data: data78 };
            if (vErrors === null) {
              vErrors = [err162];
            } else {
              vErrors.push(err162);
            }
            errors++;
          }
        }
      } else {
        const err163 = { instancePath: instancePath + "/imports", schemaPath: "#/properties/imports/type", keyword: "type", params: { type: "array" }, message: "must be array", schema: schema31.properties.imports.type, parentSchema: schema31.properties.imports, data: data77 };
        if (vErrors === null) {
          vErrors = [err163];
        } else {
          vErrors.push(err163);
        }
        errors++;
      }
    }
    if (data.moved !== void 0) {
      let data81 = data.moved;
      if (Array.isArray(data81)) {
        const len9 = data81.length;
        for (let i9 = 0; i9 < len9; i9++) {
          let data82 = data81[i9];
          if (data82 && typeof data82 == "object" && !Array.isArray(data82)) {
            if (data82.from === void 0) {
              const err164 = { instancePath: instancePath + "/moved/" + i9, schemaPath: "#/properties/moved/items/required", keyword: "required", params: { missingProperty: "from" }, message: "must have required property 'from'", schema: schema31.properties.moved.items.required, parentSchema: schema31.properties.moved.items, data: data82 };
              if (vErrors === null) {
                vErrors = [err164];
              } else {
                vErrors.push(err164);
              }
              errors++;
            }
            if (data82.to === void 0) {
              const err165 = { instancePath: instancePath + "/moved/" + i9, schemaPath: "#/properties/moved/items/required", keyword: "required", params: { missingProperty: "to" }, message: "must have required property 'to'", schema: schema31.properties.moved.items.required, parentSchema: schema31.properties.moved.items, data: data82 };
              if (vErrors === null) {
                vErrors = [err165];
              } else {
                vErrors.push(err165);
              }
              errors++;
            }
            for (const key31 in data82) {
              if (!(key31 === "from" || key31 === "to")) {
                const err166 = { instancePath: instancePath + "/moved/" + i9, schemaPath: "#/properties/moved/items/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key31 }, message: "must NOT have additional properties", schema: false, parentSchema: schema31.properties.moved.items, data: data82 };
                if (vErrors === null) {
                  vErrors = [err166];
                } else {
                  vErrors.push(err166);
                }
                errors++;
              }
            }
            if (data82.from !== void 0) {
              let data83 = data82.from;
              if (typeof data83 === "string") {
                if (func2(data83) < 1) {
                  const err167 = { instancePath: instancePath + "/moved/" + i9 + "/from", schemaPath: "#/properties/moved/items/properties/from/minLength", keyword: "minLength", params: { limit: 1 }, message: "must NOT have fewer than 1 characters", schema: 1, parentSchema: schema31.properties.moved.items.properties.from, data: data83 };
                  if (vErrors === null) {
                    vErrors = [err167];
                  } else {
                    vErrors.push(err167);
                  }
                  errors++;
                }
              } else {
                const err168 = { instancePath: instancePath + "/moved/" + i9 + "/from", schemaPath: "#/properties/moved/items/properties/from/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema31.properties.moved.items.properties.from.type, parentSchema: schema31.properties.moved.items.properties.from, data: data83 };
                if (vErrors === null) {
                  vErrors = [err168];
                } else {
                  vErrors.push(err168);
                }
                errors++;
              }
            }
            if (data82.to !== void 0) {
              let data84 = data82.to;
              if (typeof data84 === "string") {
                if (func2(data84) < 1) {
                  const err169 = { instancePath: instancePath + "/moved/" + i9 + "/to", schemaPath: "#/properties/moved/items/properties/to/minLength", keyword: "minLength", params: { limit: 1 }, message: "must NOT have fewer than 1 characters", schema: 1, parentSchema: schema31.properties.moved.items.properties.to, data: data84 };
                  if (vErrors === null) {
                    vErrors = [err169];
                  } else {
                    vErrors.push(err169);
                  }
                  errors++;
                }
              } else {
                const err170 = { instancePath: instancePath + "/moved/" + i9 + "/to", schemaPath: "#/properties/moved/items/properties/to/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema31.properties.moved.items.properties.to.type, parentSchema: schema31.properties.moved.items.properties.to, data: data84 };
                if (vErrors === null) {
                  vErrors = [err170];
                } else {
                  vErrors.push(err170);
                }
                errors++;
              }
            }
          } else {
            const err171 = { instancePath: instancePath + "/moved/" + i9, schemaPath: "#/properties/moved/items/type", keyword: "type", params: { type: "object" }, message: "must be object", schema: schema31.properties.moved.items.type, parentSchema: schema31.properties.moved.items, data: data82 };
            if (vErrors === null) {
              vErrors = [err171];
            } else {
              vErrors.push(err171);
            }
            errors++;
          }
        }
      } else {
        const err172 = { instancePath: instancePath + "/moved", schemaPath: "#/properties/moved/type", keyword: "type", params: { type: "array" }, message: "must be array", schema: schema31.properties.moved.type, parentSchema: schema31.properties.moved, data: data81 };
        if (vErrors === null) {
          vErrors = [err172];
        } else {
          vErrors.push(err172);
        }
        errors++;
      }
    }
    if (data.removed !== void 0) {
      let data85 = data.removed;
      if (Array.isArray(data85)) {
        const len10 = data85.length;
        for (let i10 = 0; i10 < len10; i10++) {
          let data86 = data85[i10];
          if (data86 && typeof data86 == "object" && !Array.isArray(data86)) {
            if (data86.from === void 0) {
              const err173 = { instancePath: instancePath + "/removed/" + i10, schemaPath: "#/properties/removed/items/required", keyword: "required", params: { missingProperty: "from" }, message: "must have required property 'from'", schema: schema31.properties.removed.items.required, parentSchema: schema31.properties.removed.items, data: data86 };
              if (vErrors === null) {
                vErrors = [err173];
              } else {
                vErrors.push(err173);
              }
              errors++;
            }
            for (const key32 in data86) {
              if (!(key32 === "from" || key32 === "destroy")) {
                const err174 = { instancePath: instancePath + "/removed/" + i10, schemaPath: "#/properties/removed/items/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key32 }, message: "must NOT have additional properties", schema: false, parentSchema: schema31.properties.removed.items, data: data86 };
                if (vErrors === null) {
                  vErrors = [err174];
                } else {
                  vErrors.push(err174);
                }
                errors++;
              }
            }
            if (data86.from !== void 0) {
              let data87 = data86.from;
              if (typeof data87 === "string") {
                if (func2(data87) < 1) {
                  const err175 = { instancePath: instancePath + "/removed/" + i10 + "/from", schemaPath: "#/properties/removed/items/properties/from/minLength", keyword: "minLength", params: { limit: 1 }, message: "must NOT have fewer than 1 characters", schema: 1, parentSchema: schema31.properties.removed.items.properties.from, data: data87 };
                  if (vErrors === null) {
                    vErrors = [err175];
                  } else {
                    vErrors.push(err175);
                  }
                  errors++;
                }
              } else {
                const err176 = { instancePath: instancePath + "/removed/" + i10 + "/from", schemaPath: "#/properties/removed/items/properties/from/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema31.properties.removed.items.properties.from.type, parentSchema: schema31.properties.removed.items.properties.from, data: data87 };
                if (vErrors === null) {
                  vErrors = [err176];
                } else {
                  vErrors.push(err176);
                }
                errors++;
              }
            }
            if (data86.destroy !== void 0) {
              let data88 = data86.destroy;
              if (typeof data88 !== "boolean") {
                const err177 = { instancePath: instancePath + "/removed/" + i10 + "/destroy", schemaPath: "#/properties/removed/items/properties/destroy/type", keyword: "type", params: { type: "boolean" }, message: "must be boolean", schema: schema31.properties.removed.items.properties.destroy.type, parentSchema: schema31.properties.removed.items.properties.destroy, data: data88 };
                if (vErrors === null) {
                  vErrors = [err177];
                } else {
                  vErrors.push(err177);
                }
                errors++;
              }
            }
          } else {
            const err178 = { instancePath: instancePath + "/removed/" + i10, schemaPath: "#/properties/removed/items/type", keyword: "type", params: { type: "object" }, message: "must be object", schema: schema31.properties.removed.items.type, parentSchema: schema31.properties.removed.items, data: data86 };
            if (vErrors === null) {
              vErrors = [err178];
            } else {
              vErrors.push(err178);
            }
            errors++;
          }
        }
      } else {
        const err179 = { instancePath: instancePath + "/removed", schemaPath: "#/properties/removed/type", keyword: "type", params: { type: "array" }, message: "must be array", schema: schema31.properties.removed.type, parentSchema: schema31.properties.removed, data: data85 };
        if (vErrors === null) {
          vErrors = [err179];
        } else {
          vErrors.push(err179);
        }
        errors++;
      }
    }
    if (data.outputs !== void 0) {
      let data89 = data.outputs;
      if (data89 && typeof data89 == "object" && !Array.isArray(data89)) {
        for (const key33 in data89) {
          const _errs259 = errors;
          if (typeof key33 === "string") {
            if (!pattern5.test(key33)) {
              const err180 = { instancePath: instancePath + "/outputs", schemaPath: "#/properties/outputs/propertyNames/pattern", keyword: "pattern", params: { pattern: "^[\\p{L}_][\\p{L}\\p{N}_-]*$" }, message: 'must match pattern "^[\\p{L}_][\\p{L}\\p{N}_-]*$"', schema: "^[\\p{L}_][\\p{L}\\p{N}_-]*$", parentSchema: schema31.properties.outputs.propertyNames, data: key33, propertyName: key33 };
              if (vErrors === null) {
                vErrors = [err180];
              } else {
                vErrors.push(err180);
              }
              errors++;
            }
          }
          var valid70 = _errs259 === errors;
          if (!valid70) {
            const err181 = { instancePath: instancePath + "/outputs", schemaPath: "#/properties/outputs/propertyNames", keyword: "propertyNames", params: { propertyName: key33 }, message: "property name must be valid", schema: schema31.properties.outputs.propertyNames, parentSchema: schema31.properties.outputs, data: data89 };
            if (vErrors === null) {
              vErrors = [err181];
            } else {
              vErrors.push(err181);
            }
            errors++;
          }
        }
        for (const key34 in data89) {
          let data90 = data89[key34];
          if ((!data90 || typeof data90 != "object") && typeof data90 !== "string" && !(typeof data90 == "number" && isFinite(data90)) && typeof data90 !== "boolean") {
            const err182 = { instancePath: instancePath + "/outputs/" + key34.replace(/~/g, "~0").replace(/\//g, "~1"), schemaPath: "#/properties/outputs/additionalProperties/type", keyword: "type", params: { type: schema31.properties.outputs.additionalProperties.type }, message: "must be string,number,boolean,array,object", schema: schema31.properties.outputs.additionalProperties.type, parentSchema: schema31.properties.outputs.additionalProperties, data: data90 };
            if (vErrors === null) {
              vErrors = [err182];
            } else {
              vErrors.push(err182);
            }
            errors++;
          }
          if (Array.isArray(data90)) {
            const len11 = data90.length;
            for (let i11 = 0; i11 < len11; i11++) {
              let data91 = data90[i11];
              if (typeof data91 !== "string" && !(typeof data91 == "number" && isFinite(data91)) && typeof data91 !== "boolean") {
                const err183 = { instancePath: instancePath + "/outputs/" + key34.replace(/~/g, "~0").replace(/\//g, "~1") + "/" + i11, schemaPath: "#/properties/outputs/additionalProperties/items/type", keyword: "type", params: { type: schema31.properties.outputs.additionalProperties.items.type }, message: "must be string,number,boolean", schema: schema31.properties.outputs.additionalProperties.items.type, parentSchema: schema31.properties.outputs.additionalProperties.items, data: data91 };
                if (vErrors === null) {
                  vErrors = [err183];
                } else {
                  vErrors.push(err183);
                }
                errors++;
              }
            }
          }
          if (data90 && typeof data90 == "object" && !Array.isArray(data90)) {
            for (const key35 in data90) {
              if (!(key35 === "value" || key35 === "sensitive" || key35 === "description")) {
                const err184 = { instancePath: instancePath + "/outputs/" + key34.replace(/~/g, "~0").replace(/\//g, "~1"), schemaPath: "#/properties/outputs/additionalProperties/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key35 }, message: "must NOT have additional properties", schema: false, parentSchema: schema31.properties.outputs.additionalProperties, data: data90 };
                if (vErrors === null) {
                  vErrors = [err184];
                } else {
                  vErrors.push(err184);
                }
                errors++;
              }
            }
            if (data90.value !== void 0) {
              let data92 = data90.value;
              if (typeof data92 !== "string" && !(typeof data92 == "number" && isFinite(data92)) && typeof data92 !== "boolean" && !Array.isArray(data92)) {
                const err185 = { instancePath: instancePath + "/outputs/" + key34.replace(/~/g, "~0").replace(/\//g, "~1") + "/value", schemaPath: "#/properties/outputs/additionalProperties/properties/value/type", keyword: "type", params: { type: schema31.properties.outputs.additionalProperties.properties.value.type }, message: "must be string,number,boolean,array", schema: schema31.properties.outputs.additionalProperties.properties.value.type, parentSchema: schema31.properties.outputs.additionalProperties.properties.value, data: data92 };
                if (vErrors === null) {
                  vErrors = [err185];
                } else {
                  vErrors.push(err185);
                }
                errors++;
              }
              if (Array.isArray(data92)) {
                const len12 = data92.length;
                for (let i12 = 0; i12 < len12; i12++) {
                  let data93 = data92[i12];
                  if (typeof data93 !== "string" && !(typeof data93 == "number" && isFinite(data93)) && typeof data93 !== "boolean") {
                    const err186 = { instancePath: instancePath + "/outputs/" + key34.replace(/~/g, "~0").replace(/\//g, "~1") + "/value/" + i12, schemaPath: "#/properties/outputs/additionalProperties/properties/value/items/type", keyword: "type", params: { type: schema31.properties.outputs.additionalProperties.properties.value.items.type }, message: "must be string,number,boolean", schema: schema31.properties.outputs.additionalProperties.properties.value.items.type, parentSchema: schema31.properties.outputs.additionalProperties.properties.value.items, data: data93 };
                    if (vErrors === null) {
                      vErrors = [err186];
                    } else {
                      vErrors.push(err186);
                    }
                    errors++;
                  }
                }
              }
            }
            if (data90.sensitive !== void 0) {
              let data94 = data90.sensitive;
              if (typeof data94 !== "boolean") {
                const err187 = { instancePath: instancePath + "/outputs/" + key34.replace(/~/g, "~0").replace(/\//g, "~1") + "/sensitive", schemaPath: "#/properties/outputs/additionalProperties/properties/sensitive/type", keyword: "type", params: { type: "boolean" }, message: "must be boolean", schema: schema31.properties.outputs.additionalProperties.properties.sensitive.type, parentSchema: schema31.properties.outputs.additionalProperties.properties.sensitive, data: data94 };
                if (vErrors === null) {
                  vErrors = [err187];
                } else {
                  vErrors.push(err187);
                }
                errors++;
              }
            }
            if (data90.description !== void 0) {
              let data95 = data90.description;
              if (typeof data95 !== "string") {
                const err188 = { instancePath: instancePath + "/outputs/" + key34.replace(/~/g, "~0").replace(/\//g, "~1") + "/description", schemaPath: "#/properties/outputs/additionalProperties/properties/description/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema31.properties.outputs.additionalProperties.properties.description.type, parentSchema: schema31.properties.outputs.additionalProperties.properties.description, data: data95 };
                if (vErrors === null) {
                  vErrors = [err188];
                } else {
                  vErrors.push(err188);
                }
                errors++;
              }
            }
          }
        }
      } else {
        const err189 = { instancePath: instancePath + "/outputs", schemaPath: "#/properties/outputs/type", keyword: "type", params: { type: "object" }, message: "must be object", schema: schema31.properties.outputs.type, parentSchema: schema31.properties.outputs, data: data89 };
        if (vErrors === null) {
          vErrors = [err189];
        } else {
          vErrors.push(err189);
        }
        errors++;
      }
    }
    if (data.limits !== void 0) {
      let data96 = data.limits;
      if (data96 && typeof data96 == "object" && !Array.isArray(data96)) {
        for (const key36 in data96) {
          if (!(key36 === "delete" || key36 === "replace" || key36 === "recreate" || key36 === "unsubscribe")) {
            const err190 = { instancePath: instancePath + "/limits", schemaPath: "#/properties/limits/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key36 }, message: "must NOT have additional properties", schema: false, parentSchema: schema31.properties.limits, data: data96 };
            if (vErrors === null) {
              vErrors = [err190];
            } else {
              vErrors.push(err190);
            }
            errors++;
          }
        }
        if (data96.delete !== void 0) {
          let data97 = data96.delete;
          if (!(typeof data97 == "number" && (!(data97 % 1) && !isNaN(data97)) && isFinite(data97)) && typeof data97 !== "string") {
            const err191 = { instancePath: instancePath + "/limits/delete", schemaPath: "#/properties/limits/properties/delete/type", keyword: "type", params: { type: schema31.properties.limits.properties.delete.type }, message: "must be integer,string", schema: schema31.properties.limits.properties.delete.type, parentSchema: schema31.properties.limits.properties.delete, data: data97 };
            if (vErrors === null) {
              vErrors = [err191];
            } else {
              vErrors.push(err191);
            }
            errors++;
          }
          if (typeof data97 == "number" && isFinite(data97)) {
            if (data97 < 0 || isNaN(data97)) {
              const err192 = { instancePath: instancePath + "/limits/delete", schemaPath: "#/properties/limits/properties/delete/minimum", keyword: "minimum", params: { comparison: ">=", limit: 0 }, message: "must be >= 0", schema: 0, parentSchema: schema31.properties.limits.properties.delete, data: data97 };
              if (vErrors === null) {
                vErrors = [err192];
              } else {
                vErrors.push(err192);
              }
              errors++;
            }
          }
          if (typeof data97 === "string") {
            if (!pattern17.test(data97)) {
              const err193 = { instancePath: instancePath + "/limits/delete", schemaPath: "#/properties/limits/properties/delete/pattern", keyword: "pattern", params: { pattern: "^(100|[1-9]?[0-9])%$" }, message: 'must match pattern "^(100|[1-9]?[0-9])%$"', schema: "^(100|[1-9]?[0-9])%$", parentSchema: schema31.properties.limits.properties.delete, data: data97 };
              if (vErrors === null) {
                vErrors = [err193];
              } else {
                vErrors.push(err193);
              }
              errors++;
            }
          }
        }
        if (data96.replace !== void 0) {
          let data98 = data96.replace;
          if (!(typeof data98 == "number" && (!(data98 % 1) && !isNaN(data98)) && isFinite(data98)) && typeof data98 !== "string") {
            const err194 = { instancePath: instancePath + "/limits/replace", schemaPath: "#/properties/limits/properties/replace/type", keyword: "type", params: { type: schema31.properties.limits.properties.replace.type }, message: "must be integer,string", schema: schema31.properties.limits.properties.replace.type, parentSchema: schema31.properties.limits.properties.replace, data: data98 };
            if (vErrors === null) {
              vErrors = [err194];
            } else {
              vErrors.push(err194);
            }
            errors++;
          }
          if (typeof data98 == "number" && isFinite(data98)) {
            if (data98 < 0 || isNaN(data98)) {
              const err195 = { instancePath: instancePath + "/limits/replace", schemaPath: "#/properties/limits/properties/replace/minimum", keyword: "minimum", params: { comparison: ">=", limit: 0 }, message: "must be >= 0", schema: 0, parentSchema: schema31.properties.limits.properties.replace, data: data98 };
              if (vErrors === null) {
                vErrors = [err195];
              } else {
                vErrors.push(err195);
              }
              errors++;
            }
          }
          if (typeof data98 === "string") {
            if (!pattern17.test(data98)) {
              const err196 = { instancePath: instancePath + "/limits/replace", schemaPath: "#/properties/limits/properties/replace/pattern", keyword: "pattern", params: { pattern: "^(100|[1-9]?[0-9])%$" }, message: 'must match pattern "^(100|[1-9]?[0-9])%$"', schema: "^(100|[1-9]?[0-9])%$", parentSchema: schema31.properties.limits.properties.replace, data: data98 };
              if (vErrors === null) {
                vErrors = [err196];
              } else {
                vErrors.push(err196);
              }
              errors++;
            }
          }
        }
        if (data96.recreate !== void 0) {
          let data99 = data96.recreate;
          if (!(typeof data99 == "number" && (!(data99 % 1) && !isNaN(data99)) && isFinite(data99)) && typeof data99 !== "string") {
            const err197 = { instancePath: instancePath + "/limits/recreate", schemaPath: "#/properties/limits/properties/recreate/type", keyword: "type", params: { type: schema31.properties.limits.properties.recreate.type }, message: "must be integer,string", schema: schema31.properties.limits.properties.recreate.type, parentSchema: schema31.properties.limits.properties.recreate, data: data99 };
            if (vErrors === null) {
              vErrors = [err197];
            } else {
              vErrors.push(err197);
            }
            errors++;
          }
          if (typeof data99 == "number" && isFinite(data99)) {
            if (data99 < 0 || isNaN(data99)) {
              const err198 = { instancePath: instancePath + "/limits/recreate", schemaPath: "#/properties/limits/properties/recreate/minimum", keyword: "minimum", params: { comparison: ">=", limit: 0 }, message: "must be >= 0", schema: 0, parentSchema: schema31.properties.limits.properties.recreate, data: data99 };
              if (vErrors === null) {
                vErrors = [err198];
              } else {
                vErrors.push(err198);
              }
              errors++;
            }
          }
          if (typeof data99 === "string") {
            if (!pattern17.test(data99)) {
              const err199 = { instancePath: instancePath + "/limits/recreate", schemaPath: "#/properties/limits/properties/recreate/pattern", keyword: "pattern", params: { pattern: "^(100|[1-9]?[0-9])%$" }, message: 'must match pattern "^(100|[1-9]?[0-9])%$"', schema: "^(100|[1-9]?[0-9])%$", parentSchema: schema31.properties.limits.properties.recreate, data: data99 };
              if (vErrors === null) {
                vErrors = [err199];
              } else {
                vErrors.push(err199);
              }
              errors++;
            }
          }
        }
        if (data96.unsubscribe !== void 0) {
          let data100 = data96.unsubscribe;
          if (!(typeof data100 == "number" && (!(data100 % 1) && !isNaN(data100)) && isFinite(data100)) && typeof data100 !== "string") {
            const err200 = { instancePath: instancePath + "/limits/unsubscribe", schemaPath: "#/properties/limits/properties/unsubscribe/type", keyword: "type", params: { type: schema31.properties.limits.properties.unsubscribe.type }, message: "must be integer,string", schema: schema31.properties.limits.properties.unsubscribe.type, parentSchema: schema31.properties.limits.properties.unsubscribe, data: data100 };
            if (vErrors === null) {
              vErrors = [err200];
            } else {
              vErrors.push(err200);
            }
            errors++;
          }
          if (typeof data100 == "number" && isFinite(data100)) {
            if (data100 < 0 || isNaN(data100)) {
              const err201 = { instancePath: instancePath + "/limits/unsubscribe", schemaPath: "#/properties/limits/properties/unsubscribe/minimum", keyword: "minimum", params: { comparison: ">=", limit: 0 }, message: "must be >= 0", schema: 0, parentSchema: schema31.properties.limits.properties.unsubscribe, data: data100 };
              if (vErrors === null) {
                vErrors = [err201];
              } else {
                vErrors.push(err201);
              }
              errors++;
            }
          }
          if (typeof data100 === "string") {
            if (!pattern17.test(data100)) {
              const err202 = { instancePath: instancePath + "/limits/unsubscribe", schemaPath: "#/properties/limits/properties/unsubscribe/pattern", keyword: "pattern", params: { pattern: "^(100|[1-9]?[0-9])%$" }, message: 'must match pattern "^(100|[1-9]?[0-9])%$"', schema: "^(100|[1-9]?[0-9])%$", parentSchema: schema31.properties.limits.properties.unsubscribe, data: data100 };
              if (vErrors === null) {
                vErrors = [err202];
              } else {
                vErrors.push(err202);
              }
              errors++;
            }
          }
        }
      } else {
        const err203 = { instancePath: instancePath + "/limits", schemaPath: "#/properties/limits/type", keyword: "type", params: { type: "object" }, message: "must be object", schema: schema31.properties.limits.type, parentSchema: schema31.properties.limits, data: data96 };
        if (vErrors === null) {
          vErrors = [err203];
        } else {
          vErrors.push(err203);
        }
        errors++;
      }
    }
  } else {
    const err204 = { instancePath, schemaPath: "#/type", keyword: "type", params: { type: "object" }, message: "must be object", schema: schema31.type, parentSchema: schema31, data };
    if (vErrors === null) {
      vErrors = [err204];
    } else {
      vErrors.push(err204);
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
