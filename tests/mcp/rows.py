"""Which test shows each thing that the protocol leaves open, was measured, or was reported of other servers and clients."""

SENT = "mcp/test_what_clients_send.py::"
BACK = "mcp/test_what_comes_back.py::"
DOOR = "mcp/test_door.py::"
STDIO = "mcp/test_stdio.py::"
TOOLS = "mcp/test_tools.py::"
LESSONS = "mcp/test_lessons_over_mcp.py::"
WRITES = f"{SENT}test_what_a_tool_that_writes_is_sent"
LISTS = f"{SENT}test_what_a_tool_that_lists_is_sent"
TOOL_LISTED = f"{TOOLS}test_a_tool_is_listed_so_that_every_client_takes_it"

MEASURED = {
    "another spelling of a choice; empty, null or NaN where a text, list, choice or number is wanted": WRITES,
    "whole numbers as text, with a point, too large, as truths": LISTS,
    "no tool takes a truth": TOOL_LISTED,
    "a required argument is missing": f"{BACK}test_every_missing_argument_is_told_at_once_without_what_was_sent",
    "what JSON can write and text cannot hold": f"{SENT}test_what_no_client_can_write_is_refused_and_nothing_is_kept",
    "arguments absent or null": f"{BACK}test_arguments_may_be_missing",
    "arguments that are a list or a text": f"{BACK}test_arguments_that_are_no_object_are_an_error_of_the_protocol",
    "an unknown tool, prompt or resource": f"{BACK}test_what_there_is_not_is_an_error_of_the_protocol",
    "a tool that raises": f"{BACK}test_what_fails_is_told_in_our_words_only",
    "a tool that answers with a list": f"{BACK}test_a_list_of_things_is_one_text_with_all_of_them",
    "a cursor for the list of tools, and its schemas": f"{BACK}test_tools_are_on_one_page_whatever_cursor_is_sent",
    "Accept: application/json alone": f"{BACK}test_whoever_takes_json_is_answered",
    "a body that is too large": f"{DOOR}test_a_body_that_is_too_large_is_refused",
    "/mcp/": f"{BACK}test_no_other_path_speaks_for_this_one",
    "a batch": f"{BACK}test_a_batch_is_refused_and_nothing_of_it_done",
    "a bare tools/call": f"{LESSONS}test_the_seed_s_calls_are_answered_as_they_are_printed",
    "a host that is not ours": f"{DOOR}test_the_door_is_the_one_of_every_route",
    "methods of the other era": f"{BACK}test_methods_of_the_other_era_are_unknown",
    "headers that do not agree with the body": f"{DOOR}test_headers_must_agree_with_the_body_and_may_have_blanks_around_them",
    "a 401 without scopes": f"{DOOR}test_without_a_token_the_challenge_names_what_the_tool_needs",
    "a 403 with the first scope only": f"{DOOR}test_a_token_that_lacks_a_scope_is_told_every_scope_at_once",
}
REPORTED = {
    "anthropics/claude-code/issues/22394": WRITES,
    "anthropics/claude-code/issues/71927": WRITES,
    "anthropics/claude-code/issues/24597": LISTS,
    "microsoft/azure-devops-mcp/issues/1037": LISTS,
    "anthropics/claude-code/issues/95239": WRITES,
    "anthropics/claude-code/issues/90123": TOOL_LISTED,
    "ZenRows/zenrows-mcp/issues/23": WRITES,
    "modelcontextprotocol/python-sdk/issues/381": WRITES,
    "modelcontextprotocol/python-sdk/issues/3067": WRITES,
    "smart-mcp-proxy/mcpproxy-go/issues/322": WRITES,
    "n8n-io/n8n/issues/24263": WRITES,
    "awslabs/mcp/issues/4603": f"{BACK}test_what_fails_is_told_in_our_words_only",
    "anthropics/claude-code/issues/79944": f"{LESSONS}test_the_text_of_a_result_says_all_that_its_structure_says",
    "anomalyco/opencode/issues/38923": f"{BACK}test_a_list_of_things_is_one_text_with_all_of_them",
    "seuros/action_mcp/issues/181": f"{BACK}test_a_list_without_things_is_a_sentence",
    "anthropics/claude-code/issues/81268": f"{TOOLS}test_the_whole_list_is_small_enough_for_an_assistant_s_window",
    "modelcontextprotocol/python-sdk/issues/1798": "http/test_doors.py::test_hosts_are_read_without_port",
    "google-gemini/gemini-cli/issues/13326": TOOL_LISTED,
    "sbroenne/mcp-server-excel/issues/607": TOOL_LISTED,
    "google-gemini/gemini-cli/issues/4301": TOOL_LISTED,
    "github/copilot-cli/issues/4006": f"{BACK}test_tools_are_on_one_page_whatever_cursor_is_sent",
    "DeusData/codebase-memory-mcp/issues/1247": f"{BACK}test_page_tokens_go_on_to_the_end_and_no_further",
    "modelcontextprotocol/python-sdk/issues/3556": f"{BACK}test_a_session_that_an_earlier_server_knew_is_no_matter",
    "modelcontextprotocol/python-sdk/issues/409": f"{STDIO}test_standard_output_holds_messages_and_nothing_else",
    "modelcontextprotocol/python-sdk/issues/199": f"{STDIO}test_text_of_every_script_passes_streams_of_one_alphabet",
    "openai/codex/issues/11851": f"{STDIO}test_an_old_file_is_never_upgraded",
    "sparfenyuk/mcp-proxy/issues/45": TOOL_LISTED,
    "runpod/runpod-mcp/issues/3": f"{BACK}test_a_page_of_long_texts_stays_within_what_clients_take",
    "glazperle/kimai_mcp/issues/18": WRITES,
    "yamadashy/repomix/issues/833": WRITES,
    "modelcontextprotocol/python-sdk/issues/1400": f"{BACK}test_no_other_path_speaks_for_this_one",
    "Noveum/orbit/issues/407": f"{BACK}test_the_same_again_after_a_lost_answer_is_done_once",
    "modelcontextprotocol/python-sdk/issues/2231": f"{STDIO}test_it_ends_with_its_input",
    "modelcontextprotocol/python-sdk/issues/3551": f"{STDIO}test_ctrl_c_ends_it_at_once",
    "modelcontextprotocol/servers/issues/4600": f"{TOOLS}test_the_sdk_is_held_below_its_next_major_version",
    "aliargun/mcp-server-gemini/issues/8": f"{BACK}test_tools_are_on_one_page_whatever_cursor_is_sent",
}
"""By the address of the report on github.com."""
