"""All operations of the API. Routes and the OpenAPI document are made from this list."""

from __future__ import annotations

from functools import partial

from astragal.questions.wire import ComparedShown, NotationRolled, OddsShown
from astragal.questions.wire_advice import AdviceShown
from astragal.questions.wire_games import Declaration, Games
from astragal.serve.api import actions, chain, chat, joining, links, questions, rolls, status, tables
from astragal.serve.chat.discord.interact import InteractionAnswer, interact
from astragal.serve.http.operation import Operation, Text
from astragal.serve.workers import answers, roll_answers
from astragal.serve.workers.audit_answers import AuditRequest, AuditShown

EXPORT = Text(tables.NDJSON, "a table, a line for each entry of its log", ("application/jsonl", "text/plain"))
STORY = Text("text/markdown", "the story")
INTERACTION = Text("application/json", "an interaction of Discord, signed")
QR = Text("image/svg+xml", "the code as a picture")
_question = partial(Operation, tag="questions", limit="questions")
_server = partial(Operation, tag="server", limit="")
TABLE = "/api/tables/{table}"

OPERATIONS = (
    Operation("games", "GET", "/api/games", questions.list_games, {200: Games}, tag="questions", limit=""),
    Operation(
        "game", "GET", "/api/games/{game}", questions.show_game, {200: Declaration},
        tag="questions", limit="", refusals=(404,),
    ),
    Operation(
        "translate", "GET", "/api/games/{game}/words/{language}", questions.translate, {200: questions.Translation},
        tag="questions", limit="questions", refusals=(404,),
    ),
    _question("roll", "POST", "/api/roll", questions.roll, {200: questions.Report}, answers.RollRequest),
    _question("odds", "POST", "/api/odds", questions.odds, {200: OddsShown}, answers.OddsRequest),
    _question(
        "rollNotation", "POST", "/api/roll/notation", questions.roll_notation, {200: NotationRolled},
        answers.NotationRequest,
    ),
    _question("program", "POST", "/api/program", questions.solve_program, {200: OddsShown}, answers.ProgramRequest),
    _question("advise", "POST", "/api/advise", questions.advise, {200: AdviceShown}, answers.AdviceRequest),
    _question("compare", "POST", "/api/compare", questions.compare, {200: ComparedShown}, answers.CompareRequest),
    _question("audit", "POST", "/api/audit", questions.audit, {200: AuditShown}, AuditRequest),
    Operation(
        "createTable", "POST", "/api/tables", tables.create, {201: tables.CreatedTable}, tables.NewTable,
        headers=tables.FoundHeaders, limit="new_tables", refusals=(403,),
    ),
    Operation(
        "importTable", "POST", "/api/tables/import", tables.import_table, {201: tables.CreatedTable}, EXPORT,
        query=tables.ImportPart, headers=tables.FoundHeaders, limit="new_tables", refusals=(403,),
    ),
    Operation(
        "sitDown", "POST", f"{TABLE}/seat", links.take_seat, {200: links.SeatShown}, links.SeatRequest,
        limit="joins", refusals=(403,),
    ),
    Operation(
        "invitation", "POST", f"{TABLE}/invitation", joining.invitation, {200: joining.Invitation},
        joining.InvitationRequest, limit="joins", refusals=(403,),
    ),
    Operation(
        "giveSeatCode", "POST", f"{TABLE}/seat/code", joining.give_seat_code, {200: joining.CodeShown},
        joining.SeatCodeRequest, seat="any", limit="actions",
    ),
    Operation(
        "takeSeatByCode", "POST", "/api/seat", joining.take_seat_by_code, {200: links.SeatShown}, joining.CodeRequest,
        limit="codes", refusals=(403,),
    ),
    Operation("showCode", "POST", f"{TABLE}/code", joining.show_code, {200: joining.CodeShown}, joining.Nothing,
              seat="gm"),
    Operation("hideCode", "DELETE", f"{TABLE}/code", joining.hide_code, {204: None}, seat="gm"),
    Operation(
        "knock", "POST", "/api/knocks", joining.knock, {202: joining.Knocked}, joining.KnockRequest,
        limit="codes", refusals=(403,),
    ),
    Operation(
        "waitAtDoor", "POST", "/api/knocks/wait", joining.wait_at_door, {200: joining.Answered}, joining.WaitRequest,
        refusals=(404,),
    ),
    Operation("knocks", "GET", f"{TABLE}/knocks", joining.list_knocks, {200: joining.KnocksShown}, seat="gm"),
    Operation(
        "answerKnock", "POST", TABLE + "/knocks/{knock}", joining.answer_knock, {204: None}, joining.KnockAnswer,
        seat="gm", limit="actions",
    ),
    Operation(
        "openScreen", "POST", f"{TABLE}/screen/seat", joining.open_screen, {200: links.SeatShown},
        joining.ScreenRequest, limit="joins", refusals=(403,),
    ),
    Operation("screen", "GET", f"{TABLE}/screen", tables.show, {200: tables.Snapshot}, seat="screen"),
    Operation("showCodeOnScreen", "POST", f"{TABLE}/screen/code", joining.show_code, {200: joining.CodeShown},
              joining.Nothing, seat="screen"),
    _question("qr", "POST", "/api/qr", joining.draw_qr, {200: QR}, joining.QrRequest),
    Operation("view", "GET", TABLE, tables.show, {200: tables.Snapshot}, seat="any"),
    Operation(
        "act", "POST", f"{TABLE}/actions", actions.act, {200: actions.Done}, actions.TableAction,
        headers=actions.ActHeaders, seat="any", limit="actions", refusals=(409,),
    ),
    Operation("log", "GET", f"{TABLE}/log", tables.read_log, {200: tables.LogShown}, query=tables.LogPage, seat="any"),
    Operation(
        "rollOdds", "GET", TABLE + "/rolls/{roll}/odds", rolls.roll_odds, {200: OddsShown}, query=rolls.UpTo, seat="any"
    ),
    Operation(
        "rollAdvice", "GET", TABLE + "/rolls/{roll}/advice", rolls.roll_advice, {200: AdviceShown},
        query=rolls.Wished, seat="any",
    ),
    Operation(
        "rollChances", "GET", TABLE + "/rolls/{roll}/chances", rolls.roll_chances, {200: roll_answers.ChancesShown},
        query=rolls.WithOffer, seat="any",
    ),
    Operation(
        "chain", "GET", f"{TABLE}/chain", chain.chain, {200: chain.ChainShown}, query=chain.ChainPart, seat="any"
    ),
    Operation("stats", "GET", f"{TABLE}/stats", rolls.stats, {200: roll_answers.Stats}, seat="any"),
    Operation("story", "GET", f"{TABLE}/story", tables.read_story, {200: STORY}, query=tables.StoryPart, seat="any"),
    Operation("exportTable", "GET", f"{TABLE}/export", tables.export_table, {200: EXPORT._replace(also=())}, seat="gm"),
    Operation(
        "exportSheet", "GET", TABLE + "/sheets/{holder}", tables.export_one_sheet, {200: tables.SheetFile}, seat="any"
    ),
    Operation("links", "GET", f"{TABLE}/links", links.list_links, {200: links.LinksShown}, seat="gm"),
    Operation("makeLink", "POST", f"{TABLE}/links", links.create_link, {201: links.LinkShown}, links.NewLink,
              seat="gm", limit="actions"),
    Operation("revokeLink", "DELETE", TABLE + "/links/{link}", links.revoke_link, {204: None}, seat="gm",
              limit="actions"),
    Operation("chat", "GET", f"{TABLE}/chat", chat.show_chat, {200: chat.ChatShown}, seat="gm"),
    Operation("untie", "DELETE", TABLE + "/chat/ties/{tie}", chat.untie, {204: None}, seat="gm", limit="actions"),
    Operation("addWebhook", "POST", f"{TABLE}/webhooks", chat.create_webhook, {201: chat.WebhookMade}, chat.NewWebhook,
              seat="gm", limit="actions"),
    Operation("removeWebhook", "DELETE", TABLE + "/webhooks/{webhook}", chat.delete_webhook, {204: None}, seat="gm",
              limit="actions"),
    _server("discord", "POST", "/discord", interact, {200: InteractionAnswer}, INTERACTION, refusals=(401,)),
    _server("health", "GET", "/healthz", status.health, {200: status.Healthy}, refusals=(404,)),
    _server("metrics", "GET", "/metrics", status.show_metrics, {200: Text(status.METRICS_MEDIA, "counts")}),
)  # fmt: skip
